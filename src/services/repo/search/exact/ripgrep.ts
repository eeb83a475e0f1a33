// Runs ripgrep: the user's own, else the one that comes along. Never through a shell, never with the user's or the
// repository's settings, which could make it start other programs, and only for so long.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';
import { bounds } from './hit.ts';

const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
let found: string | undefined | null = null;

/** Nothing where there is none: then we look ourselves. */
export function findRipgrep(): string | undefined {
  if (found === null) found = findOnPath(process.env.PATH ?? '') ?? findPackaged();
  return found;
}

/** Folders given relative to wherever one happens to be could be the repository's own. */
export function findOnPath(path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function findPackaged(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    // Its binaries are packages of their own, beside it.
    const beside = createRequire(require.resolve('@vscode/ripgrep'));
    const program = beside.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
    return isProgram(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Ended {
  /** 0: found something, 1: nothing, 2: something was wrong; undefined: it was stopped. */
  status: number | undefined;
  complaint: string;
  stopped?: 'limit' | 'timeout';
}

/** `take` gets whole lines, some at a time and one letter a byte, and says when it has enough. */
export async function runRipgrep(
  program: string,
  args: readonly string[],
  { folder, signal }: { folder: string; signal: AbortSignal },
  take: (lines: readonly string[]) => boolean,
): Promise<Ended> {
  signal.throwIfAborted();
  const { RIPGREP_CONFIG_PATH: _, ...env } = process.env;
  const child = spawn(program, ['--no-config', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let stopped: Ended['stopped'];
  let complaint = '';
  let rest = '';
  let bytes = 0;
  const stop = (why: Ended['stopped']) => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const onAbort = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', onAbort);
  const timer = setTimeout(() => stop('timeout'), bounds.milliseconds);
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaint = (complaint + part).slice(0, 4_000);
  });
  child.stdout.setEncoding('latin1').on('data', (part: string) => {
    if (stopped) return;
    bytes += part.length;
    const end = part.lastIndexOf('\n');
    if (end < 0) rest += part;
    else {
      const lines = (rest + part.slice(0, end)).split('\n');
      rest = part.slice(end + 1);
      if (!take(lines)) stop('limit');
    }
    if (bytes > bounds.bytes) stop('limit');
  });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    signal.throwIfAborted();
    if (rest !== '' && !stopped) take([rest]);
    return { status: status ?? undefined, complaint, ...(stopped && { stopped }) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that came one to a letter, which is quick, as the text they are: UTF-8, or else each stands for itself. */
export function decodeBytes(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
