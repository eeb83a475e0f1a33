// The command line as a person uses it: the built binary, its words and its exit status.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/core/version.ts';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

describe('lore', () => {
  it('runs the stdio server if its input is a pipe', async () => {
    const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    expect(await runLore([], { input })).toMatchObject({ code: 0, stdout: '{"jsonrpc":"2.0","id":1,"result":{}}\n' });
  });

  it('prints its version', async () => {
    expect(await runLore(['version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(JSON.parse((await runLore(['--version', '--json'])).stdout)).toMatchObject({ version });
  });

  it('helps', async () => {
    const { code, stdout } = await runLore(['help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Commands\n  serve ');
    expect((await runLore(['serve', '--help'])).stdout).toContain('Usage  lore serve [options]');
    expect((await runLore(['help', 'call'])).stdout).toContain('Usage  lore call <tool> [key=value…] [options]');
  });

  it('lists tools and calls them', async () => {
    expect((await runLore(['tools'])).stdout).toMatch(/^status +read +Report the version, services and store/m);
    expect((await runLore(['call', 'status'])).stdout).toContain(`lorekeeper ${version}`);
    expect(JSON.parse((await runLore(['call', 'status', '--json', '{}'])).stdout)).toMatchObject({ version });
  });

  it('finds a tool by words joined in any way, and suggests the nearest name', async () => {
    const cwd = createFolder('work');
    const env = { LORE_DB: join(createFolder('data'), 'lore.db') };
    const run = (...args: string[]) => runLore(args, { cwd, env });
    await run('checkpoint', 'save', 'Goal: webhooks.', '--name', 'webhooks');
    const printed = await Promise.all([
      run('checkpoint', 'resume', 'webhooks'),
      run('checkpoint-resume', 'webhooks'),
      run('checkpoint_resume', 'webhooks'),
      run('skill', 'search'),
      run('cleanup', '--no-dry-run'),
      run('learn', '--detach', 'We decided to use pnpm.'),
    ]);
    const [skills, cleaned, learned] = printed.slice(3).map(({ stdout }) => stdout);
    for (const { stdout } of printed.slice(0, 3)) expect(stdout).toContain('Goal: webhooks.');
    expect(skills).toBe('No matching skill.\n');
    expect(cleaned).toBe('There is nothing to clean up.\n');
    expect(learned).toMatch(/^Running in the background: lore status op_\w+\n$/);
    const misspelt: [string[], string][] = [
      [['checkpoint', 'resme'], '"checkpoint_resume"'],
      [['recal'], '"recall"'],
      [['install', 'claude'], '"claude-code" or "claude-desktop"'],
      [['skill', 'imprt', 'x'], '"import"'],
    ];
    const refused = await Promise.all(misspelt.map(([args]) => run(...args)));
    for (const [at, [, names]] of misspelt.entries()) expect(refused[at]?.stderr).toContain(`Did you mean ${names}?`);
  });

  // Elsewhere the program that makes a terminal takes other words, or there is none.
  it.skipIf(process.platform !== 'linux')('shows how far it is while a tool works, within the line', async () => {
    const folder = createFolder('long');
    const name = `${'walrus-'.repeat(20)}.ts`;
    for (let n = 0; n < 40; n++) writeFileSync(join(folder, `${n}-${name}`), `export const walrus${n} = ${n};\n`);
    const command = `stty cols 60; exec "${process.execPath}" "${join(root, 'bin/lore.cjs')}" index_repository`;
    const home = createFolder('home');
    const env = { PATH: process.env.PATH, HOME: home, LORE_DB: join(home, 'lore.db') };
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], { cwd: folder, env, timeout: 60_000 });
    const [, ...drawn] = shown.toString().split('\r\u001b[K');
    const bars = drawn.filter((line) => /^[█░]{30} \d+\/40 /.test(line));
    expect(bars.length).toBeGreaterThan(0);
    for (const bar of bars) expect(bar.trimEnd().length).toBeLessThan(60);
    expect(drawn.at(-1)).toContain('Indexed "');
  });

  it('shows settings and hides secrets', async () => {
    const { stdout } = await runLore(['config'], { env: { LORE_PORT: '9', LORE_TOKEN: 'hunter2' } });
    expect(stdout).toMatch(/^port +9 +environment$/m);
    expect(stdout).toMatch(/^token +"\(set\)" +environment$/m);
    expect(stdout).not.toContain('hunter2');
  });

  it('changes settings in the file, and never reads .env', async () => {
    const folder = createFolder('settings');
    const env = { LORE_CONFIG: join(folder, 'config.json') };
    writeFileSync(join(folder, '.env'), 'LORE_PORT=7\nLORE_DB=elsewhere.db\n');
    const run = (args: string[], input = '') => runLore(['config', ...args], { env, cwd: folder, input });
    expect((await run(['get', 'port'])).stdout).toBe('8081\n');
    expect((await run(['set', 'port', '9090'])).stdout).toContain('port is set. Servers apply it when they start.');
    expect((await run(['set', 'embed-key', '-'], 'hunter2\n')).code).toBe(0);
    expect(JSON.parse(readFileSync(env.LORE_CONFIG, 'utf8'))).toEqual({ port: 9090, embed_key: 'hunter2' });
    if (process.platform !== 'win32') expect(statSync(env.LORE_CONFIG).mode & 0o077).toBe(0);
    expect((await run(['get', 'embed_key'])).stdout).toBe('(set)\n');
    expect(await run(['set', 'embed_key', 'hunter2'])).toMatchObject({ code: 5 });
    expect((await run(['set', 'port', 'x'])).stderr).toBe(
      'lore: port must be a whole number from 0 to 65535, got "x"\n',
    );
    expect(await run(['set', 'prot', '1'])).toMatchObject({ code: 3, stderr: expect.stringContaining('mean "port"?') });
    expect((await run(['unset', 'port'])).code).toBe(0);
    expect(JSON.parse(readFileSync(env.LORE_CONFIG, 'utf8'))).toEqual({ embed_key: 'hunter2' });
  });

  it('reports a log line of its own in words', async () => {
    // A file in the place of the folder, which root cannot write to either.
    const file = join(createFolder('data'), 'file');
    writeFileSync(file, '');
    const { stderr } = await runLore(['remember', 'x'], { env: { LORE_DB: join(file, 'lore.db') } });
    for (const line of stderr.trim().split('\n').slice(0, -1)) expect(line).toMatch(/^lore: Cannot /);
    expect(stderr).not.toContain('    at ');
  });

  it('writes no file over another, and into no missing folder', async () => {
    const env = { LORE_DB: join(createFolder('data'), 'lore.db') };
    const file = join(createFolder('out'), 'lore.jsonl');
    const run = (...args: string[]) => runLore(args, { env });
    expect((await run('export', file)).code).toBe(0);
    expect(await run('export', file)).toMatchObject({ code: 4, stderr: expect.stringContaining('Pass --force') });
    expect((await run('export', file, '--force')).code).toBe(0);
    for (const name of ['export', 'backup'])
      expect((await run(name, '/nonexistent/x')).stderr).toContain('Cannot write "/nonexistent/x": there is no folder');
  });

  it('examines the installation', async () => {
    const { code, stdout } = await runLore(['doctor', '--port', '0']);
    expect(stdout).toMatch(/^ok +service server +tools: 2$/m);
    expect(code).toBe(0);
    const broken = await runLore(['doctor'], { env: { LORE_PORT: 'many' } });
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/^PROBLEM +settings +Cannot use the settings: LORE_PORT/m);
  });

  it.each([
    [['nonsense'], 2, 'lore: Unknown command "nonsense"'],
    [['serve', '--nonsense'], 2, 'lore: Unknown option --nonsense'],
    [['serve', '--port', 'many'], 2, 'lore: --port must be a whole number from 0 to 65535, got "many"'],
    [['recall', 'x', '--limit', 'abc'], 2, 'lore: --limit must be a whole number from 1 to 50, got "abc"'],
    [['recall'], 2, 'lore: Missing argument <query>'],
    [['call'], 2, 'lore: Missing argument <tool>'],
    [['call', 'nonsense'], 3, 'lore: Cannot call "nonsense": there is no such tool'],
    [['call', 'status', 'x=1'], 2, 'lore: Unknown argument "x"'],
    [['call', 'status', 'x'], 2, 'lore: Cannot read argument "x": it is not key=value'],
    [['call', 'status', '--json', '[]'], 2, 'lore: Cannot read arguments "[]": they are not a JSON object'],
    [['serve', '--host', '0.0.0.0'], 5, 'lore: Cannot listen on "0.0.0.0": addresses other than loopback need a token'],
  ])('refuses %j with status %d', async (args, status, told) => {
    const { code, stdout, stderr } = await runLore(args);
    expect(stderr.split('\n')[0]).toBe(told);
    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
  });
});
