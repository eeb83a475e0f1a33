// The output of a command: its result on stdout, everything else on stderr, colour only on a terminal. Streams are created on
// first use, because a hook that runs at every prompt must be fast.
import { writeSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Output } from '../core/command.ts';

/** Longer lines are hard to read, however wide the window is. */
const widest = 100;
const narrowest = 20;

export function createOutput(json: boolean): Output {
  const isColoured = () => process.stdout.isTTY === true && !process.env.NO_COLOR;
  const bold = (text: string) => (isColoured() ? styleText('bold', text) : text);
  const dim = (text: string) => (isColoured() ? styleText('dim', text) : text);
  return {
    json,
    get stream() {
      return quiet(process.stdout);
    },
    print: (text) => void quiet(process.stdout).write(`${text}\n`),
    printNow: (text) => writeAll(Buffer.from(`${text}\n`)),
    printJson: (value) => void quiet(process.stdout).write(`${JSON.stringify(value, null, 2)}\n`),
    note: (text) => void quiet(process.stderr).write(`${text}\n`),
    bold,
    dim,
    get style() {
      return { bold, dim, width: widthOfTerminal(), now: Date.now() };
    },
  };
}

/** A reader that stops early, like `head`, is not a failure: the rest is not printed, and the command continues. */
function quiet(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (!stream.listeners('error').includes(ignoreBrokenPipe)) stream.on('error', ignoreBrokenPipe);
  return stream;
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (!isBrokenPipe(error)) throw error;
}

export function isBrokenPipe(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

/** Lines are not wrapped in a pipe, where programs search them for words. */
function widthOfTerminal(): number {
  if (process.stdout.isTTY !== true) return Number.POSITIVE_INFINITY;
  return Math.min(widest, Math.max(narrowest, process.stdout.columns || widest));
}

function writeAll(bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (isBrokenPipe(error)) return;
      // The pipe is full and non-blocking: wait for its reader.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** Columns as wide as their widest cell; the last column has no padding. */
export function alignColumns(rows: readonly (readonly string[])[], gap = 2): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + gap)))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
