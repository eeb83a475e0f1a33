// Mounted servers and the built program: commands of a person, several servers of ours at once, and kill -9.
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { finish, spawnLore } from '../support/lore.ts';
import { isAlive } from '../support/process.ts';
import { upstreamFile } from '../support/upstream/upstream.ts';

interface Result {
  content: { text: string }[];
  isError?: boolean;
  tools: { name: string; inputSchema: object }[];
}

function createUser() {
  const folder = createFolder('gateway');
  const env = { LORE_DB: join(folder, 'lore.db'), LORE_CONFIG: join(folder, 'config.json'), HOME: folder };
  return {
    folder,
    run: (...args: string[]) => finish(spawnLore(args, env)),
    /** A server of ours, and calls through it. */
    serve(...options: string[]) {
      const child = spawnLore(['stdio', ...options], env);
      onTestFinished(() => void child.kill('SIGKILL'));
      const waiting = new Map<number, (message: { result: Result }) => void>();
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = JSON.parse(line);
        waiting.get(message.id)?.(message);
      });
      let id = 0;
      const request = (method: string, params: object = {}) =>
        new Promise<Result>((resolve) => {
          waiting.set(++id, ({ result }) => resolve(result));
          child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
        });
      const call = async (name: string, args: object = {}) => {
        const { content } = await request('tools/call', { name: 'tool_read', arguments: { name, arguments: args } });
        return content.map(({ text }) => text).join('\n');
      };
      const readPid = async () => Number(/^\| (\d+)$/m.exec(await call('small_pid'))?.[1]);
      return { child, request, call, readPid };
    },
  };
}

describe.skipIf(process.platform === 'win32')('lore mount', () => {
  it('mounts, lists, shows, tests and removes a server', async () => {
    const { run } = createUser();
    const added = await run('mount', 'small', '--exclude', 'ha*', '--', process.execPath, upstreamFile);
    expect(added).toMatchObject({ code: 0, stdout: 'Mounted small: small 1.0.0, 11 tools, revision 2025-11-25\n' });
    expect((await run('mount')).stdout).toMatch(/small +ready +11/);
    expect((await run('mount', 'show', 'small')).stdout).toMatch(/small_echo +read +The tool echo/);
    expect((await run('mount', 'review', 'small')).stdout).toContain('All tools of small are approved');
    expect((await run('mount', 'test', 'small')).stdout).toMatch(/^Connected to small in \d+ ms/);
    expect((await run('tool', 'read', 'small_echo', '--arguments', '{"value":"hello"}')).stdout).toContain('hello');
    expect((await run('mount', 'unmount', 'small')).stdout).toContain('Removed small');
    expect((await run('mount')).stdout).toContain('No server is mounted');
    const wrong = await run('mount', 'small', '--', 'no-such-program-here');
    expect(wrong).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('it is not installed') });
    expect(wrong.code).not.toBe(0);
  });

  it('narrows a server in a folder that exists', async () => {
    const { run, folder } = createUser();
    await run('mount', 'small', '--', process.execPath, upstreamFile);
    const wrong = await run('mount', 'profile', 'small', join(folder, 'wrok'), '--exclude', 'ha*');
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('there is no such folder') });
    const site = createFolder('site');
    expect(await run('mount', 'profile', 'small', site, '--exclude', 'ha*')).toMatchObject({ code: 0 });
    rmSync(site, { recursive: true });
    expect(await run('mount', 'profile', 'small', site, '--undo')).toMatchObject({ code: 0 });
  });

  it('moves the servers of a program behind us, and back', async () => {
    const { run, folder } = createUser();
    const small = { command: process.execPath, args: [upstreamFile], env: { API_KEY: 'k-12345678' } };
    const broken = { command: 'no-such-program-here' };
    const before = `${JSON.stringify({ theme: 'dark', mcpServers: { 'small-one': small, broken } }, null, 2)}\n`;
    const file = join(folder, '.claude.json');
    writeFileSync(file, before);
    const { code, stdout } = await run('mount', 'import', 'claude-code');
    expect(stdout).toContain('small-one: moved, as mount smallone');
    expect(stdout).toContain('broken: not moved. Cannot');
    expect(code).toBe(1);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark', mcpServers: { broken } });
    expect((await run('tool', 'read', 'smallone_echo', '--arguments', '{"value":"hello"}')).stdout).toContain('hello');
    expect((await run('mount', 'import', 'claude-code', '--undo')).stdout).toContain('small-one: moved back');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(before));
    expect((await run('mount')).stdout).toContain('No server is mounted');

    const toml = `[mcp_servers.small]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(upstreamFile)}]\nstartup_timeout_sec = 20\n`;
    const config = join(folder, '.codex', 'config.toml');
    mkdirSync(join(folder, '.codex'));
    writeFileSync(config, `model = "x"\n\n${toml}`);
    expect((await run('mount', 'import', 'codex')).stdout).toContain('small: moved, as mount small');
    expect(readFileSync(config, 'utf8')).not.toContain('small');
    await run('mount', 'import', 'codex', '--undo');
    expect(readFileSync(config, 'utf8')).toBe(`model = "x"\n\n${toml}`);
  });

  it('runs one process for all servers of the user, which survives them all but the last', async () => {
    const { run, serve } = createUser();
    await run('mount', 'small', '--', process.execPath, upstreamFile);
    const servers = [serve(), serve(), serve()] as const;
    const [first, second, third] = servers;
    const pid = await first.readPid();
    expect(await Promise.all([second.readPid(), third.readPid()])).toEqual([pid, pid]);
    // Its holder cannot end it, and the others take over.
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const next = await second.readPid();
    expect(await third.readPid()).toBe(next);
    expect(next).not.toBe(pid);
    await expect.poll(() => isAlive(pid)).toBe(false);
    for (const { child } of [second, third]) child.stdin.end();
    await expect.poll(() => isAlive(next)).toBe(false);
  });

  it('serves one mounted server alone, with its own names and the permission of the mount', async () => {
    const { run, serve, folder } = createUser();
    const tools = join(folder, 'tools.json');
    const inputSchema = { type: 'object', properties: { value: { type: 'string' } } };
    const reads = { readOnlyHint: true };
    const names = ['echo', 'Put-Item'];
    writeFileSync(
      tools,
      JSON.stringify(names.map((name) => ({ name, inputSchema, ...(name === 'echo' && { annotations: reads }) }))),
    );
    await run('mount', 'small', '--', process.execPath, upstreamFile, '--tools', tools);
    const { request } = serve('--source', 'small');
    const listed = (await request('tools/list')).tools;
    expect(listed.map(({ name }) => name).sort()).toEqual(names.toSorted());
    expect(listed[0]?.inputSchema).toEqual(inputSchema);
    const echoed = await request('tools/call', { name: 'echo', arguments: { value: 'hello' } });
    expect(echoed.content).toEqual([{ type: 'text', text: 'hello' }]);
    const refused = await request('tools/call', { name: 'Put-Item', arguments: {} });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]?.text).toContain('the permission of "small" is "read"');
  });

  it('ends what a killed server left behind, even if it ignores the end of its input', async () => {
    const { run, serve, folder } = createUser();
    const stubborn = join(folder, 'stubborn.mjs');
    writeFileSync(
      stubborn,
      `process.on('SIGTERM', () => {});\nsetInterval(() => {}, 1000);\nawait import(${JSON.stringify(upstreamFile)});\n`,
    );
    await run('mount', 'small', '--', process.execPath, stubborn);
    const first = serve();
    const pid = await first.readPid();
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect(isAlive(pid)).toBe(true);
    // Another server of ours ends it, whatever it is used for.
    await serve().call('other_tool');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
