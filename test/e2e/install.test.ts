// lore install and uninstall, as the built binary does them to a home that has all the programs.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

const script = join(root, 'bin/lore.cjs');

function createHome(files: Record<string, string> = {}) {
  const home = createFolder('agents');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const data = createFolder('data');
  const env = {
    HOME: home,
    XDG_DATA_HOME: data,
    XDG_CACHE_HOME: createFolder('cache'),
    LORE_CONFIG: '',
    LORE_RANK: '',
  };
  const read = (name: string) => readFileSync(join(home, name), 'utf8');
  return {
    home,
    data,
    read,
    run: (...args: string[]) => runLore(args, { env }),
    runWith: (more: Record<string, string>, ...args: string[]) => runLore(args, { env: { ...env, ...more } }),
    look: () => lookAt(home, home),
  };
}

function lookAt(folder: string, base: string): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return { [relative(base, path)]: 'folder', ...lookAt(path, base) };
      return { [relative(base, path)]: `${statSync(path).mode} ${readFileSync(path, 'latin1')}` };
    }),
  );
}

/** Each as its program or a person leaves it. */
const files = {
  '.claude.json': '{\n  "numStartups": 7,\n  "mcpServers": {}\n}',
  '.claude/settings.json':
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  }\n}\n',
  '.config/Claude/claude_desktop_config.json': '{}\n',
  '.cursor/mcp.json': '{"mcpServers":{"a":{"url":"http://127.0.0.1:1/mcp"}}}',
  '.config/Code/User/mcp.json': '{\r\n\t"servers": {}, // mine\r\n\t"inputs": [],\r\n}\r\n',
  '.codex/config.toml': 'model = "o5"\n\n[mcp_servers.a]\ncommand = "a" # mine\n',
  '.gemini/settings.json': '\uFEFF{ "security": { "auth": {} } }',
  '.codeium/windsurf/mcp_config.json': '',
  '.config/zed/settings.json': '// Zed settings\n{\n  "theme": "One Dark", // dark\n}\n',
};

describe('lore install', () => {
  it('connects every installed program once, and uninstall leaves no trace', async () => {
    const { read, run, look } = createHome(files);
    const before = look();
    const { code, stdout, stderr } = await run('install', 'all');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const title of [
      'Claude Code',
      'Claude Desktop',
      'Cursor',
      'VS Code',
      'Codex',
      'Gemini CLI',
      'Windsurf',
      'Zed',
    ]) {
      expect(stdout).toContain(`${title} (user)`);
    }
    expect(JSON.parse(read('.claude.json')).mcpServers.lorekeeper).toEqual({
      type: 'stdio',
      command: expect.stringMatching(/node$/),
      args: [script, 'stdio'],
    });
    const settings = JSON.parse(read('.claude/settings.json'));
    expect(settings.hooks.Stop).toHaveLength(1);
    expect(settings.hooks.UserPromptSubmit[0].hooks[0].command).toMatch(/lore\.cjs'? hook UserPromptSubmit$/);
    expect(read('.config/zed/settings.json')).toContain('// Zed settings\n{\n  "theme": "One Dark", // dark\n');
    const installed = look();
    const again = await run('install', 'all', '--json');
    const programs = JSON.parse(again.stdout) as { files: { does: string }[] }[];
    expect(new Set(programs.flatMap((one) => one.files.map(({ does }) => does)))).toEqual(new Set(['nothing']));
    expect(look()).toEqual(installed);
    expect((await run('uninstall', 'all')).code).toBe(0);
    expect(look()).toEqual(before);
  });

  it('previews the changes', async () => {
    const { run, look } = createHome(files);
    const before = look();
    const { stdout } = await run('install', 'codex', '--dry-run');
    expect(stdout).toContain('+ [mcp_servers.lorekeeper]');
    const printed = await run('install', 'claude-code', '--print', '--no-hooks');
    expect(printed.stdout).toContain('"lorekeeper": {');
    expect(printed.stdout).not.toContain('hook ');
    expect(look()).toEqual(before);
  });

  it('carries over the settings of this environment, and doctor finds entries that differ', async () => {
    const { home, read, run, runWith } = createHome({
      '.config/Claude/claude_desktop_config.json': JSON.stringify({
        mcpServers: { lore: { command: 'lore', args: ['stdio'] } },
      }),
      '.cursor/mcp.json': '{"mcpServers":{"lorekeeper":{"url":"http://localhost:9090/mcp"}}}',
      'shop/README.md': '# Shop',
    });
    const more = { LORE_DB: join(home, 'my.db'), LORE_TOKEN: 'a'.repeat(32) };
    const shop = join(home, 'shop');
    const { stderr } = await runWith(more, '--project', shop, 'install', 'claude-desktop');
    const { env } = JSON.parse(read('.config/Claude/claude_desktop_config.json')).mcpServers.lorekeeper;
    expect(env).toEqual({ LORE_DB: more.LORE_DB, LORE_PROJECT: realpathSync(shop) });
    expect(stderr).toContain('Entries get these settings of this environment: LORE_DB, LORE_PROJECT.');
    expect(stderr).toContain('Not written, because it is secret: LORE_TOKEN.');
    expect(stderr).toContain('under the name "lore"');
    const { code, stdout } = await run('doctor', '--port', '8099');
    expect(code).toBe(1);
    expect(stdout).toMatch(/PROBLEM +Cursor .*connects to port 9090, but lore serve uses port 8099/);
    expect(stdout).toMatch(/PROBLEM +Claude Desktop .*uses the database .*my\.db, but this shell uses/);
    expect(stdout).toMatch(/ok +Claude Desktop +"lore"/);
  });

  it('keeps a private copy, and prints the next steps', async () => {
    const { data, run } = createHome({ '.claude.json': '{ "key": "secret" }' });
    expect((await run('install', 'claude-code')).stdout).toContain('Takes effect in the next session');
    const folder = join(data, 'lorekeeper/installed');
    const copies = readdirSync(folder).filter((name) => name.endsWith('.before'));
    const texts = copies.map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).toContain('{ "key": "secret" }');
    for (const name of copies) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  it('continues with the others when one is broken', async () => {
    const { read, run } = createHome({ ...files, '.cursor/mcp.json': '{ oops' });
    const { code, stdout, stderr } = await run('install', 'cursor', 'gemini');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^lore: Cannot change ".*\.cursor\/mcp\.json": it is not JSON \(line 1\)$/m);
    expect(stdout).toContain('Gemini CLI (user)');
    expect(read('.cursor/mcp.json')).toBe('{ oops');
  });

  it.each([
    [['install'], 2, 'lore: Missing argument <program…|all>'],
    [['install', 'emacs'], 3, 'lore: Unknown program "emacs"'],
    [['install', 'all'], 3, 'lore: Cannot use "all": no supported program is installed'],
    [
      ['install', 'windsurf', '--scope', 'local'],
      2,
      'lore: Cannot use Windsurf with scope "local": it has no such scope',
    ],
    [['uninstall', 'all'], 3, 'lore: Cannot use "all": no supported program is installed'],
  ])('%j ends with %d', async (args, status, told) => {
    const { code, stderr } = await createHome().run(...args);
    expect(stderr.split('\n')[0]).toBe(told);
    expect(code).toBe(status);
  });
});

describe('lore hook', () => {
  const bad: [string, string[], string][] = [
    ['an event that nobody knows', ['hook', 'Nonsense'], '{}'],
    ['no event', ['hook'], '{}'],
    ['no input', ['hook', 'UserPromptSubmit'], ''],
    ['input that is no JSON', ['hook', 'UserPromptSubmit'], '{"prompt":'],
    ['no database', ['hook', 'UserPromptSubmit'], '{"prompt":"which database?"}'],
    ['a folder that is gone', ['hook', 'SessionStart'], '{"cwd":"/nonexistent"}'],
    ['a transcript that is gone', ['hook', 'SessionEnd'], '{"transcript_path":"/nonexistent.jsonl"}'],
  ];

  it.each(bad)('prints nothing and does not block the prompt with %s', async (_, args, input) => {
    expect(await runLore(args, { input })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['a database that is none', { LORE_DB: script }],
    ['a database that cannot be reached', { LORE_DB: 'postgres://127.0.0.1:1/none' }],
    ['settings that are wrong', { LORE_PORT: 'many' }],
  ])('prints nothing and does not block the prompt with %s', async (_, env) => {
    const input = '{"prompt":"which database?"}';
    expect(await runLore(['hook', 'UserPromptSubmit'], { input, env })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('does not create a database, and explains why on request', async () => {
    const home = createFolder('hook');
    const env = { HOME: home, XDG_CACHE_HOME: createFolder('cache') };
    await runLore(['hook', 'SessionStart'], { input: '{}', env });
    expect(existsSync(join(home, '.local'))).toBe(false);
    const { stderr } = await runLore(['hook', 'Nonsense'], { input: '{}', env: { ...env, MCP_DEBUG: '1' } });
    expect(stderr).toContain('Cannot answer the hook "Nonsense": there is no such event');
  });
});
