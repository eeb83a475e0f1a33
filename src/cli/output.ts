// What a command writes: its result on stdout, everything else on stderr. Colour only where a person reads it.
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export interface Output {
  /** Results as JSON were asked for. */
  readonly json: boolean;
  /** For results too long to be held whole. */
  readonly stream: Writable;
  print(text: string): void;
  printJson(value: unknown): void;
  note(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
}

export function createOutput(json: boolean): Output {
  const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return {
    json,
    stream: process.stdout,
    print: (text) => void process.stdout.write(`${text}\n`),
    printJson: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    bold: (text) => (coloured ? styleText('bold', text) : text),
    dim: (text) => (coloured ? styleText('dim', text) : text),
  };
}

/** Columns as wide as their widest cell; the last one is free. */
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
