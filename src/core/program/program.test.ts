// What becomes of programs that hang, talk without end, hide in children or are not there.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundle } from '../../../test/support/bundle.ts';
import { createFolder } from '../../../test/support/folder.ts';
import { isAlive } from '../../../test/support/process.ts';
import { cleanEnvironment, type Program, runProgram, streamLines } from './program.ts';

const shell = (script: string, rest: Partial<Program> = {}): Program => ({
  program: '/bin/sh',
  args: ['-c', script],
  ...rest,
});

/** The number that a script left in a file. */
async function pidIn(file: string): Promise<number> {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  return Number(readFileSync(file, 'utf8'));
}

/** Another process of Node that uses the module. */
async function runModule(code: string, first = ''): Promise<ChildProcessByStdio<null, Readable, null>> {
  const file = await bundle('src/core/program/program.ts', { format: 'esm' });
  const script = join(createFolder('module'), 'main.mjs');
  writeFileSync(
    script,
    `import { writeSync } from 'node:fs'; import { runProgram } from ${JSON.stringify(file)};
     const output = 1; const print = (...words) => writeSync(output, words.join(' ') + '\\n');\n${code}\n`,
  );
  const child = spawn('/bin/sh', ['-c', `${first}exec ${process.execPath} ${script}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const waitUntilGone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

describe.skipIf(process.platform === 'win32')('a program', () => {
  it('receives its arguments unchanged', async () => {
    const odd = ['$(id)', '`id`', '; rm -rf /', "a'b", 'a"b', '*', '--file=/etc/passwd', 'two\nlines', ''];
    expect(await runProgram({ program: 'printf', args: ['%s\\0', ...odd] })).toBe(`${odd.join('\0')}\0`);
  });

  it('refuses an argument with a null character', async () => {
    await expect(runProgram({ program: 'printf', args: ['a\0b'] })).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('inherits only a few environment variables', async () => {
    const env = cleanEnvironment({
      PATH: '/bin',
      HOME: '/h',
      LORE_TOKEN: 's',
      SYSTEMD_PAGER: 'sh',
      LD_PRELOAD: 'x',
      LC_ALL: 'de',
    });
    expect(env).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C.UTF-8' });
  });

  it('has nothing to read', async () => {
    expect(await runProgram({ program: 'cat', args: [] })).toBe('');
  });

  it('is named if it is missing or fails', async () => {
    const missing = runProgram({ program: 'no-such-program-here', args: [] });
    await expect(missing).rejects.toMatchObject({
      word: 'unavailable',
      message: 'Cannot run "no-such-program-here": it is not installed',
    });
    const failing = runProgram(shell('echo /secret/path >&2; exit 3', { action: 'read "x"' }));
    await expect(failing).rejects.toMatchObject({
      word: 'unavailable',
      message: 'Cannot read "x": /bin/sh ended with status 3',
    });
  });

  it.each([
    ['says nothing', 'echo begun; exec sleep 600', { silenceMs: 200 }, 'timeout'],
    ['takes too long', 'while :; do echo x; sleep 0.05; done', { timeoutMs: 300 }, 'timeout'],
    ['does not hear', 'trap "" TERM; while :; do sleep 600 & wait; done', { silenceMs: 200 }, 'timeout'],
    ['says too much', 'exec yes', { maxBytes: 100_000 }, 'limit_exceeded'],
  ])('that %s is ended', async (_, script, limits, word) => {
    const file = join(createFolder('program'), 'pid');
    await expect(runProgram(shell(`echo $$ > ${file}; ${script}`, limits))).rejects.toMatchObject({ word });
    await waitUntilGone(await pidIn(file));
  });

  it.skipIf(process.platform !== 'linux')(
    'is not waited for when a child leaves its group with its output',
    async () => {
      const left = join(createFolder('program'), 'left');
      const script = `setsid sh -c '> ${left}; exec sleep 20' & until [ -e ${left} ]; do sleep 0.01; done; echo begun`;
      await expect(runProgram(shell(script, { silenceMs: 1_000 }))).rejects.toMatchObject({ word: 'timeout' });
    },
  );

  it.skipIf(process.platform !== 'linux').each([
    ['processes', 'for i in 1 2 3 4 5 6 7 8; do sleep 600 & done; wait', 'starts more than 5 processes'],
    ['memory', '(head -c 90000000 /dev/zero; sleep 600) | tail', 'uses more than 60 MB of memory'],
  ])('is ended at the limit: %s', async (_, script, state) => {
    const file = join(createFolder('program'), 'pid');
    const run = shell(`echo $$ > ${file}; ${script}`, { maxUsage: { processes: 5, bytes: 60 * 1024 ** 2 } });
    await expect(runProgram(run)).rejects.toMatchObject({
      word: 'limit_exceeded',
      message: `Cannot run "/bin/sh": /bin/sh ${state}`,
    });
    await waitUntilGone(await pidIn(file));
  });

  it('ends with its children, also those it leaves behind', async () => {
    const [holds, closes] = [join(createFolder('program'), 'holds'), join(createFolder('program'), 'closes')];
    const script = `sleep 600 & echo $! > ${holds}; sleep 600 <&- >&- 2>&- & echo $! > ${closes}; echo done`;
    expect(await runProgram(shell(script))).toBe('done\n');
    for (const file of [holds, closes]) await waitUntilGone(await pidIn(file));
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with us, on %s', async (signal) => {
    const folder = createFolder('program');
    const [own, child] = [join(folder, 'own'), join(folder, 'child')];
    const script = `echo $$ > ${own}; sleep 600 & echo $! > ${child}; wait`;
    const us = await runModule(`runProgram({ program: '/bin/sh', args: ['-c', ${JSON.stringify(script)}] })`);
    const pids = [await pidIn(own), await pidIn(child)];
    const ended = once(us, 'exit');
    us.kill(signal);
    expect(await ended).toEqual([null, signal]);
    for (const pid of pids) await waitUntilGone(pid);
  });

  it('leaves a signal to another handler', async () => {
    const us = await runModule(
      `process.on('SIGTERM', () => process.exit(7));
       runProgram({ program: '/bin/sh', args: ['-c', 'sleep 600'] }).catch(() => {}); print('begun')`,
    );
    expect(String((await once(us.stdout, 'data'))[0])).toBe('begun\n');
    const ended = once(us, 'exit');
    us.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
  });

  it('reports why it cannot start: no file descriptors, too many arguments', async () => {
    const us = await runModule(
      `const { openSync } = process.getBuiltinModule('node:fs');
       const report = (error) => print(error.word, error.message);
       await runProgram({ program: 'true', args: ['x'.repeat(9_000_000)] }).catch(report);
       try { for (;;) openSync('/dev/null'); } catch {}
       await runProgram({ program: 'true', args: [] }).catch(report);`,
      'ulimit -n 64; ',
    );
    let said = '';
    us.stdout.on('data', (part) => {
      said += part;
    });
    await once(us, 'close');
    expect(said).toBe(
      'unavailable Cannot run "true": its arguments are too long\n' +
        'unavailable Cannot run "true": too many files are open\n',
    );
  });

  it('is ended with its children when it is no longer needed', async () => {
    const folder = createFolder('program');
    const [own, child] = [join(folder, 'own'), join(folder, 'child')];
    const controller = new AbortController();
    const script = `echo $$ > ${own}; sleep 600 & echo $! > ${child}; wait`;
    const running = runProgram(shell(script, { signal: controller.signal }));
    const ended = expect(running).rejects.toThrow('enough');
    const pids = [await pidIn(own), await pidIn(child)];
    controller.abort(new Error('enough'));
    await ended;
    for (const pid of pids) await waitUntilGone(pid);
  });

  it('ends when its reader stops, and waits for a slow reader', async () => {
    const file = join(createFolder('program'), 'pid');
    const lines = streamLines(shell(`echo $$; echo $$ > ${file}; exec yes line`));
    const first = await lines.next();
    const pid = Number(first.value?.[0]);
    const io = () => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    if (process.platform === 'linux') {
      // It has filled the pipe and what we hold ready, and no more.
      let last = -1;
      const isStill = () => {
        const before = last;
        last = io();
        return last === before;
      };
      await expect.poll(isStill).toBe(true);
      expect(last).toBeLessThan(4 * 1024 * 1024);
    }
    await lines.return();
    await waitUntilGone(pid);
  });

  it('returns whole lines however they arrive, and truncates endless ones', async () => {
    const read = async (script: string, maxLine?: number) => {
      const lines: string[] = [];
      for await (const some of streamLines(shell(script), maxLine)) lines.push(...some);
      return lines;
    };
    expect(await read(String.raw`printf 'a\r\n\nb\342'; printf '\202\254\nend'`)).toEqual(['a', '', 'b€', 'end']);
    const [long, next] = await read('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo next', 1_000);
    expect([long?.length, next]).toEqual([1_000, 'next']);
  });

  it('may report a negative result by its status', async () => {
    const accepts = (status: number, complaint: string) => status === 1 && complaint === '';
    expect(await runProgram(shell('exit 1', { accepts }))).toBe('');
    await expect(runProgram(shell('echo wrong >&2; exit 1', { accepts }))).rejects.toMatchObject({
      word: 'unavailable',
    });
  });
});
