// Manifests for places where the server is offered repeat facts of package.json and of the list of hooks: here they agree.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code.ts';
import { serverName } from '../../src/agents/part.ts';
import { settingRows } from '../../src/config/settings.ts';
import { root } from '../support/bundle.ts';

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const facts = read('package.json');
const { name, version, license, keywords } = facts;

describe('manifests', () => {
  it("for Claude Code's plugins", () => {
    expect(read('plugin/.claude-plugin/plugin.json')).toMatchObject({ name, version, license, keywords });
    const [plugin] = read('.claude-plugin/marketplace.json').plugins;
    expect(plugin).toMatchObject({ name, source: './plugin' });
    expect(read('plugin/.mcp.json').mcpServers).toEqual({ [serverName]: { command: 'lore', args: ['stdio'] } });
    expect(facts.bin).toHaveProperty('lore');
  });

  it("for Claude Code's hooks, the same as lore install writes", () => {
    const place = { platform: 'linux', home: '/home', env: {}, project: '/p' } as const;
    const hooks = claudeCode.scopes.user?.(place).find(({ kind }) => kind === 'hooks');
    if (hooks?.kind !== 'hooks') throw new Error('there are no hooks');
    const entries = hooks.events.map((event) => {
      // A machine without lore must not be told so at every prompt.
      return [event, [{ hooks: [{ ...hooks.extra, command: `lore hook ${event} || true` }] }]];
    });
    expect(read('plugin/hooks/hooks.json').hooks).toEqual(Object.fromEntries(entries));
  });

  it('for the registry of MCP servers', () => {
    const server = read('server.json');
    expect(server).toMatchObject({ version, packages: [{ registryType: 'npm', identifier: name, version }] });
    expect(server.name).toBe(facts.mcpName);
    expect(server.name).toMatch(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(facts.description.startsWith(server.description.replace(/\.$/, ''))).toBe(true);
  });

  it('for MCP bundles', () => {
    const manifest = read('mcpb/manifest.json');
    const { description, engines } = facts;
    expect(manifest).toMatchObject({ name, version, license, keywords, description });
    expect(manifest.compatibility.runtimes).toEqual({ node: engines.node });
    expect(manifest.server.entry_point).toBe(facts.bin.lore);
    const { args, env } = manifest.server.mcp_config;
    expect(args).toEqual([`\${__dirname}/${facts.bin.lore}`, 'stdio']);
    const options = Object.entries(env).map(([variable, value]) => [
      variable,
      /\{user_config\.(\w+)\}$/.exec(String(value))?.[1],
    ]);
    expect(options.map(([, option]) => option)).toEqual(Object.keys(manifest.user_config));
    const variables = settingRows.map(([, row]) => row.env);
    expect(options.filter(([variable]) => !variables.includes(variable))).toEqual([]);
  });
});
