// Starts a program in its own process group and ends the whole group when the program exits, when it is no longer needed,
// and when this process ends, by a signal too.
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LoreError } from '../error.ts';
import type { Program } from './program.ts';

/** Between asking it to end and ending it. */
const graceMs = 500;

const running = new Set<ChildProcess>();
let endsWithUs = false;

interface Started {
  child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  /** Its status, or why it has none. */
  ended: Promise<number | Error>;
}

export function startChild(
  { program, args, folder, answersOn3 }: Pick<Program, 'program' | 'args' | 'folder' | 'answersOn3'>,
  file: string,
  env: NodeJS.ProcessEnv,
  input: 'ignore' | 'pipe' = 'ignore',
): Started {
  endAllWithUs();
  let child: Started['child'];
  try {
    // Loaded when it is first used: importing it costs a start-up more than most of our own code.
    child = process.getBuiltinModule('node:child_process').spawn(file, [...args], {
      cwd: folder,
      env,
      stdio: answersOn3 ? [input, 'ignore', 'pipe', 'pipe'] : [input, 'pipe', 'pipe'],
      windowsHide: true,
      // In its own process group: its children end with it, and it has no terminal for prompts.
      detached: true,
    }) as Started['child'];
  } catch (error) {
    throw explainStart(program, error as Error);
  }
  const ended = new Promise<number | Error>((resolve) => {
    child.on('error', resolve).on('close', (code, name) => resolve(code ?? new Error(String(name))));
  });
  keepTrack(child);
  return { child, ended };
}

function keepTrack(child: ChildProcess): void {
  if (child.pid === undefined) return;
  running.add(child);
  child.once('close', () => running.delete(child));
  // Children that it leaves behind are of no use.
  child.once('exit', () => kill(child, 'SIGKILL'));
}

/** Before the first child starts: a signal in between would leave it behind. */
function endAllWithUs(): void {
  if (endsWithUs) return;
  endsWithUs = true;
  process.once('exit', endAll);
  // Not SIGHUP: nohup has us ignore it, and a listener would undo that.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => dieOf(name));
}

/** Without another handler, ends this process as the signal would have, which emits no `exit` event. */
function dieOf(name: 'SIGINT' | 'SIGTERM'): void {
  if (process.listenerCount(name) > 1) return;
  endAll();
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

function endAll(): void {
  for (const child of running) kill(child, 'SIGKILL');
}

/** While a process that has left its group holds its output open, it has not ended, even if it is gone itself. */
export function endChild(child: ChildProcess): void {
  if (!running.has(child)) return;
  kill(child, 'SIGTERM');
  setTimeout(() => {
    if (!running.has(child)) return;
    kill(child, 'SIGKILL');
    for (const stream of child.stdio) stream?.destroy();
  }, graceMs).unref();
}

function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') return void child.kill(signal);
  try {
    process.kill(-(child.pid as number), signal);
  } catch {
    // It has just ended.
  }
}

const startFailures: Record<string, string> = {
  EACCES: 'permission denied',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EAGAIN: 'too many processes are running',
  ENOMEM: 'there is not enough memory',
  E2BIG: 'its arguments are too long',
};

export function explainStart(program: string, cause: NodeJS.ErrnoException): LoreError {
  if (cause.code === 'ENOENT') return missingProgramError(program, cause);
  const state = startFailures[cause.code ?? ''] ?? 'it was stopped';
  return new LoreError('unavailable', `Cannot run "${program}": ${state}`, { cause });
}

export function missingProgramError(program: string, cause?: Error): LoreError {
  return new LoreError('unavailable', `Cannot run "${program}": it is not installed`, { cause });
}
