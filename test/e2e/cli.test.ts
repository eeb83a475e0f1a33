// The command line as a person uses it: the built binary, its words and its exit status.
import { describe, expect, it } from 'vitest';
import { version } from '../../src/core/version.ts';
import { runLore } from '../support/lore.ts';

describe('lore', () => {
  it('is the stdio server where a pipe is its input', async () => {
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
    expect((await runLore(['help', 'call'])).stdout).toContain('Usage  lore call <tool> [key=value …] [options]');
  });

  it('lists tools and calls them', async () => {
    expect((await runLore(['tools'])).stdout).toMatch(/^status +read +Server status$/m);
    expect((await runLore(['call', 'status'])).stdout).toContain(`lorekeeper ${version}`);
    expect(JSON.parse((await runLore(['call', 'status', '--json', '{}'])).stdout)).toMatchObject({ version });
  });

  it('shows settings and hides secrets', async () => {
    const { stdout } = await runLore(['config'], { env: { LORE_PORT: '9', LORE_TOKEN: 'hunter2' } });
    expect(stdout).toMatch(/^port +9 +environment$/m);
    expect(stdout).toMatch(/^token +"\(set\)" +environment$/m);
    expect(stdout).not.toContain('hunter2');
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
    [['nonsense'], 2, 'lore: Cannot run "nonsense": there is no such command'],
    [['serve', '--nonsense'], 2, `lore: Cannot run "serve": Unknown option '--nonsense'`],
    [
      ['serve', '--port', 'many'],
      2,
      'lore: Cannot use the settings: --port should be integer from 0 to 65535, got string',
    ],
    [['call'], 2, 'lore: Cannot call a tool: none is named'],
    [['call', 'nonsense'], 3, 'lore: Cannot call "nonsense": there is no such tool'],
    [['call', 'status', 'x=1'], 2, 'lore: Cannot call "status": arguments.x should be only operation_id, got "x"'],
    [['call', 'status', 'x'], 2, 'lore: Cannot read argument "x": it is not key=value'],
    [['call', 'status', '--json', '[]'], 2, 'lore: Cannot read arguments "[]": they are not a JSON object'],
    [['serve', '--host', '0.0.0.0'], 5, 'lore: Cannot listen on "0.0.0.0": beyond loopback a token is required'],
  ])('refuses %j with status %d', async (args, status, told) => {
    const { code, stdout, stderr } = await runLore(args);
    expect(stderr.split('\n')[0]).toBe(told);
    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
  });
});
