// Runs the user's own git: never through a shell, without what a repository's settings could make it start or ask, and with
// a bound on how long it may be silent and how much it may say.
import { spawn } from 'node:child_process';
import { LoreError } from '../../../core/error.ts';

export interface GitLimits {
  /** Without a byte for so long, it hangs. */
  silenceMs?: number;
  maxBytes?: number;
}

const defaults: Required<GitLimits> = { silenceMs: 60_000, maxBytes: 1 << 30 };
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
  const { silenceMs, maxBytes } = { ...defaults, ...limits };
  const child = spawn('git', ['--no-pager', ...harmless.flatMap((pair) => ['-c', pair]), ...args], {
    cwd: folder,
    env: cleanEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaint = (complaint + part).slice(0, maxComplaint);
  });
  const ended = new Promise<number | Error>((resolve) => {
    child.on('error', resolve).on('close', (code, signal) => resolve(code ?? new Error(String(signal))));
  });
  let isSilent = false;
  const fallSilent = () => {
    isSilent = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(fallSilent, silenceMs);
  let bytes = 0;
  try {
    for await (const part of child.stdout.setEncoding('utf8')) {
      // The time that is spent on what it said is not its own.
      clearTimeout(timer);
      bytes += Buffer.byteLength(part as string);
      if (bytes > maxBytes) throw new LoreError('limit_exceeded', `Cannot read "${folder}": git says too much`);
      yield part as string;
      timer = setTimeout(fallSilent, silenceMs);
    }
    const end = await ended;
    if (isSilent) throw new LoreError('timeout', `Cannot read "${folder}": git says nothing for ${silenceMs} ms`);
    if (end !== 0) throw explain(folder, end, complaint);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
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
function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || name.startsWith('GIT_CONFIG'));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
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
