// Where each program's files are, on each platform, as the programs' own pages say.
import { describe, expect, it } from 'vitest';
import type { AgentLocation, InstallScope } from './agent.ts';
import { agents } from './agents.ts';
import { hookEvents } from './hook-event.ts';

const places: Record<string, AgentLocation> = {
  linux: { platform: 'linux', home: '/home/a', env: {}, project: '/work/p' },
  darwin: { platform: 'darwin', home: '/Users/a', env: {}, project: '/work/p' },
  win32: {
    platform: 'win32',
    home: 'C:\\Users\\a',
    env: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' },
    project: 'D:\\p',
  },
};

function filesOf(id: string, scope: InstallScope, place: AgentLocation): string[] {
  const parts = agents.find((agent) => agent.id === id)?.scopes[scope]?.(place) ?? [];
  return [...new Set(parts.map(({ file }) => file))];
}

describe.each(Object.entries(places))('on %s', (name, place) => {
  const choose = (linux: string[], darwin: string[], win32: string[]) => ({ linux, darwin, win32 })[name as 'linux'];
  const roaming = 'C:\\Users\\a\\AppData\\Roaming';
  const support = '/Users/a/Library/Application Support';

  it.each([
    [
      'claude-code',
      choose(
        ['/home/a/.claude.json', '/home/a/.claude/settings.json'],
        ['/Users/a/.claude.json', '/Users/a/.claude/settings.json'],
        ['C:\\Users\\a\\.claude.json', 'C:\\Users\\a\\.claude\\settings.json'],
      ),
    ],
    [
      'claude-desktop',
      choose(
        ['/home/a/.config/Claude/claude_desktop_config.json'],
        [`${support}/Claude/claude_desktop_config.json`],
        [`${roaming}\\Claude\\claude_desktop_config.json`],
      ),
    ],
    [
      'cursor',
      choose(
        ['/home/a/.cursor/mcp.json', '/home/a/.cursor/hooks.json'],
        ['/Users/a/.cursor/mcp.json', '/Users/a/.cursor/hooks.json'],
        ['C:\\Users\\a\\.cursor\\mcp.json', 'C:\\Users\\a\\.cursor\\hooks.json'],
      ),
    ],
    [
      'vscode',
      choose(
        ['/home/a/.config/Code/User/mcp.json'],
        [`${support}/Code/User/mcp.json`],
        [`${roaming}\\Code\\User\\mcp.json`],
      ),
    ],
    [
      'codex',
      choose(
        ['/home/a/.codex/config.toml', '/home/a/.codex/hooks.json'],
        ['/Users/a/.codex/config.toml', '/Users/a/.codex/hooks.json'],
        ['C:\\Users\\a\\.codex\\config.toml', 'C:\\Users\\a\\.codex\\hooks.json'],
      ),
    ],
    [
      'gemini',
      choose(
        ['/home/a/.gemini/settings.json'],
        ['/Users/a/.gemini/settings.json'],
        ['C:\\Users\\a\\.gemini\\settings.json'],
      ),
    ],
    [
      'windsurf',
      choose(
        ['/home/a/.codeium/windsurf/mcp_config.json', '/home/a/.codeium/windsurf/hooks.json'],
        ['/Users/a/.codeium/windsurf/mcp_config.json', '/Users/a/.codeium/windsurf/hooks.json'],
        ['C:\\Users\\a\\.codeium\\windsurf\\mcp_config.json', 'C:\\Users\\a\\.codeium\\windsurf\\hooks.json'],
      ),
    ],
    [
      'zed',
      choose(
        ['/home/a/.config/zed/settings.json'],
        ['/Users/a/.config/zed/settings.json'],
        [`${roaming}\\Zed\\settings.json`],
      ),
    ],
  ])('%s has its own files', (id, files) => {
    expect(filesOf(id, 'user', place)).toEqual(files);
  });
});

describe('places', () => {
  const linux = places.linux as AgentLocation;

  it.each([
    ['claude-code', ['/work/p/.mcp.json']],
    ['cursor', ['/work/p/.cursor/mcp.json']],
    ['vscode', ['/work/p/.vscode/mcp.json']],
    ['codex', ['/work/p/.codex/config.toml']],
    ['gemini', ['/work/p/.gemini/settings.json']],
    ['zed', ['/work/p/.zed/settings.json']],
    ['claude-desktop', []],
    ['windsurf', []],
  ])('%s in a repository: %j', (id, files) => {
    expect(filesOf(id, 'project', linux)).toEqual(files);
  });

  it.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: '/c' }, ['/c/.claude.json', '/c/settings.json']],
    ['codex', { CODEX_HOME: '/c' }, ['/c/config.toml', '/c/hooks.json']],
    ['gemini', { GEMINI_CLI_HOME: '/c' }, ['/c/.gemini/settings.json']],
    ['zed', { XDG_CONFIG_HOME: '/c' }, ['/c/zed/settings.json']],
    ['vscode', { XDG_CONFIG_HOME: '/c' }, ['/c/Code/User/mcp.json']],
  ])('%s with %j', (id, env, files) => {
    expect(filesOf(id, 'user', { ...linux, env })).toEqual(files);
  });
});

describe('hooks', () => {
  const all = agents.flatMap((agent) =>
    Object.values(agent.scopes).flatMap((partsOf) => partsOf(places.linux as AgentLocation)),
  );

  it('are events that we answer', () => {
    for (const part of all)
      if (part.kind === 'hooks') for (const event of part.events) expect(hookEvents).toHaveProperty(event);
  });

  it('are never written into a repository', () => {
    const shared = agents.flatMap((agent) => agent.scopes.project?.(places.linux as AgentLocation) ?? []);
    expect(shared.filter(({ kind }) => kind === 'hooks')).toEqual([]);
    for (const part of shared) expect(part).toMatchObject({ shared: true });
  });
});
