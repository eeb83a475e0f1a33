// Runs ripgrep: the user's own, else the bundled one. Without a shell, without the user's or the repository's settings, which
// could start other programs, and with a timeout.
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { LoreError } from '../../../../core/error.ts';
import { findProgram } from '../../../../core/program/path.ts';
import { streamProgram } from '../../../../core/program/program.ts';
import { bounds } from './hit.ts';

const found = new Map<string, Promise<string | undefined>>();

/** Undefined if there is none: then files are scanned here. One in the repository is not run. */
export function findRipgrep(root: string): Promise<string | undefined> {
  let program = found.get(root);
  if (!program) {
    program = findProgram('rg', [root]).then((one) => one ?? findPackaged());
    found.set(root, program);
  }
  return program;
}

function findPackaged(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  try {
    const require = createRequire(import.meta.url);
    // Its binaries are packages of their own, beside it.
    const beside = createRequire(require.resolve('@vscode/ripgrep'));
    const program = beside.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    return undefined;
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
  const ended: Ended = { status: 0, complaint: '' };
  const parts = streamProgram({
    program,
    args: ['--no-config', ...args],
    action: 'search',
    folder,
    signal,
    encoding: 'latin1',
    timeoutMs: bounds.milliseconds,
    silenceMs: bounds.milliseconds,
    maxBytes: bounds.bytes,
    accepts(status, complaint) {
      Object.assign(ended, { status, complaint });
      return true;
    },
  });
  let rest = '';
  try {
    for await (const part of parts) {
      const end = part.lastIndexOf('\n');
      if (end < 0) rest += part;
      else {
        const lines = (rest + part.slice(0, end)).split('\n');
        rest = part.slice(end + 1);
        if (!take(lines)) return { status: undefined, complaint: '', stopped: 'limit' };
      }
    }
  } catch (error) {
    const stopped = error instanceof LoreError ? stops[error.word] : undefined;
    if (stopped === undefined) throw error;
    return { status: undefined, complaint: '', stopped };
  }
  if (rest !== '') take([rest]);
  return ended;
}

/** Matches up to then are kept. */
const stops: { readonly [word: string]: Ended['stopped'] } = { limit_exceeded: 'limit', timeout: 'timeout' };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes bytes that were read as Latin-1, which is fast: as UTF-8, or else as they are. */
export function decodeBytes(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
