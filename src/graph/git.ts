// Runs the user's own git: never through a shell, without what a repository's settings could make it start or ask, and with
// a bound on how long it may be silent and how much it may say.
import { type ChildProcess, spawn } from 'node:child_process';
import { LoreError } from '../core/error.ts';

export interface GitLimits {
  /** Without a byte for so long, it hangs. */
  silenceMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
  /** What may go on-line, with the user's own credentials but without asking anybody, and how its failure is told. */
  online?: { explain(complaint: string): LoreError | undefined };
}

const defaults = { silenceMs: 60_000, maxBytes: 1 << 30 };
const maxComplaint = 4_000;

/** Settings of a repository that start programs. */
const harmless = [
  'core.fsmonitor=false',
  'log.showSignature=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
];

/** What it says, part by part; with a status other than 0 it ends in an error. */
export async function* streamGit(folder: string, args: readonly string[], limits: GitLimits = {}) {
  const { silenceMs, maxBytes, online, signal } = { ...defaults, ...limits };
  signal?.throwIfAborted();
  const child = spawn('git', ['--no-pager', ...harmless.flatMap((pair) => ['-c', pair]), ...args], {
    cwd: folder,
    env: cleanEnvironment(process.env, online !== undefined),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // In a session of its own there is no terminal at which ssh could ask, and what it started ends with it.
    detached: online !== undefined,
  });
  const end = () => endChild(child, online !== undefined);
  if (online) process.once('exit', end);
  signal?.addEventListener('abort', end);
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    // Progress is told here, too, and what went wrong comes last.
    complaint = (complaint + part).slice(-maxComplaint);
    if (online && isItsTurn) timer.refresh();
  });
  const ended = new Promise<number | Error>((resolve) => {
    child.on('error', resolve).on('close', (code, signal) => resolve(code ?? new Error(String(signal))));
  });
  let isSilent = false;
  let isItsTurn = true;
  const fallSilent = () => {
    isSilent = true;
    end();
  };
  let timer = setTimeout(fallSilent, silenceMs);
  let bytes = 0;
  try {
    for await (const part of child.stdout.setEncoding('utf8')) {
      // The time that is spent on what it said is not its own.
      clearTimeout(timer);
      isItsTurn = false;
      bytes += Buffer.byteLength(part as string);
      if (bytes > maxBytes) throw new LoreError('limit_exceeded', `Cannot read "${folder}": git says too much`);
      yield part as string;
      isItsTurn = true;
      timer = setTimeout(fallSilent, silenceMs);
    }
    const status = await ended;
    signal?.throwIfAborted();
    if (isSilent) throw new LoreError('timeout', `Cannot read "${folder}": git says nothing for ${silenceMs} ms`);
    if (status !== 0) {
      throw (typeof status === 'number' && online?.explain(complaint)) || explain(folder, status, complaint);
    }
  } finally {
    clearTimeout(timer);
    isItsTurn = false;
    signal?.removeEventListener('abort', end);
    process.removeListener('exit', end);
    end();
  }
}

function endChild(child: ChildProcess, hasGroup: boolean): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (!hasGroup || process.platform === 'win32') return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

/** A short answer without its last line end; nothing where git says no by its status. */
export async function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const parts: string[] = [];
  try {
    for await (const part of streamGit(folder, args, { maxBytes: 1 << 20 })) parts.push(part);
  } catch (error) {
    if (error instanceof LoreError && error.word === 'not_found') return undefined;
    throw error;
  }
  return parts.join('').replace(/\n$/, '');
}

/** A hook's git tells its children which repository is meant; here the folder says so. Nothing may ask or go on-line. */
function cleanEnvironment(env: NodeJS.ProcessEnv, isOnline: boolean): NodeJS.ProcessEnv {
  const isKept = isOnline ? /^GIT_(?:CONFIG|SSH|PROXY|SSL)/ : /^GIT_CONFIG/;
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || isKept.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    ...(isOnline ? { GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never' } : { GIT_NO_LAZY_FETCH: '1' }),
  };
}

function explain(folder: string, end: number | Error, complaint: string): LoreError {
  if (typeof end !== 'number') {
    const state = (end as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not installed' : 'it was stopped';
    return new LoreError('unavailable', `Cannot run "git": ${state}`, { cause: end });
  }
  if (complaint.includes('dubious ownership')) {
    return new LoreError(
      'forbidden',
      `Cannot read "${folder}": git does not trust it, since it belongs to somebody else`,
      {
        hint: `If you do: git config --global --add safe.directory "${folder}"`,
      },
    );
  }
  const isNo =
    end === 1 || /Needed a single revision|unknown revision|bad revision|bad object|Not a valid/i.test(complaint);
  return new LoreError(isNo ? 'not_found' : 'unavailable', `Cannot read "${folder}": git ended with status ${end}`, {
    hint: 'git log in that folder says more.',
    cause: new Error(complaint),
  });
}
