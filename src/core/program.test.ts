// What becomes of programs that hang, talk without end, hide in children or are not there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { cleanEnvironment, type Program, runProgram, streamLines } from './program.ts';

const shell = (script: string, rest: Partial<Program> = {}): Program => ({
  program: '/bin/sh',
  args: ['-c', script],
  ...rest,
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and was not asked for yet still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The number that a script left in a file. */
async function pidIn(file: string): Promise<number> {
  await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')).toBe(true), 10_000);
  return Number(readFileSync(file, 'utf8'));
}

const waitUntilGone = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000);

describe.skipIf(process.platform === 'win32')('a program', () => {
  it('gets its arguments as they are, whatever they hold', async () => {
    const odd = ['$(id)', '`id`', '; rm -rf /', "a'b", 'a"b', '*', '--file=/etc/passwd', 'two\nlines', ''];
    expect(await runProgram({ program: 'printf', args: ['%s\\0', ...odd] })).toBe(`${odd.join('\0')}\0`);
  });

  it('is given no argument that would end early', async () => {
    await expect(runProgram({ program: 'printf', args: ['a\0b'] })).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('sees of our environment only where things are', async () => {
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

  it('that is not there is named, and so is one that fails', async () => {
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
    ['leaves a child that holds its output', 'sleep 600 & echo begun', { silenceMs: 200 }, 'timeout'],
  ])('that %s is ended', async (_, script, limits, word) => {
    const file = join(createFolder('program'), 'pid');
    await expect(runProgram(shell(`echo $$ > ${file}; ${script}`, limits))).rejects.toMatchObject({ word });
    await waitUntilGone(await pidIn(file));
  });

  it('is ended with its children when nobody wants it any more', async () => {
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

  it('is ended by whoever stops listening, and waits for whoever is slow', async () => {
    const file = join(createFolder('program'), 'pid');
    const lines = streamLines(shell(`echo $$; echo $$ > ${file}; exec yes line`));
    const first = await lines.next();
    const pid = Number(first.value?.[0]);
    const io = () => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    if (process.platform === 'linux') {
      // It has filled the pipe and what we hold ready, and no more.
      let last = -1;
      await vi.waitFor(() => {
        const now = io();
        const stands = now === last;
        last = now;
        expect(stands).toBe(true);
      }, 10_000);
      expect(last).toBeLessThan(4 * 1024 * 1024);
    }
    await lines.return();
    await waitUntilGone(pid);
  });

  it('tells its lines whole, however they come, and cuts what is endless', async () => {
    const read = async (script: string, maxLine?: number) => {
      const lines: string[] = [];
      for await (const some of streamLines(shell(script), maxLine)) lines.push(...some);
      return lines;
    };
    expect(await read(String.raw`printf 'a\r\n\nb\342'; printf '\202\254\nend'`)).toEqual(['a', '', 'b€', 'end']);
    const [long, next] = await read('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo next', 1_000);
    expect([long?.length, next]).toEqual([1_000, 'next']);
  });

  it('may say no by its status', async () => {
    const accepts = (status: number, complaint: string) => status === 1 && complaint === '';
    expect(await runProgram(shell('exit 1', { accepts }))).toBe('');
    await expect(runProgram(shell('echo wrong >&2; exit 1', { accepts }))).rejects.toMatchObject({
      word: 'unavailable',
    });
  });
});
