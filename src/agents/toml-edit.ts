// Adds and removes one table of a TOML file as text; the rest of the file is not rewritten.
import { isObject } from '../core/schema.ts';
import { parseToml, type TomlStatement } from './toml.ts';

/** The table's pairs as text, with its name as a path. */
export function appendTable(text: string, path: readonly string[], pairs: Record<string, unknown>): string {
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  const lines = [`[${path.join('.')}]`, ...Object.entries(pairs).map(([key, value]) => `${key} = ${render(value)}`)];
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? newline : newline.repeat(2);
  return text + gap + lines.join(newline) + newline;
}

/** Sets one pair of an existing table. */
export function putPair(text: string, path: readonly string[], value: unknown): string {
  const pair = parseToml(text).find((one) => one.kind === 'pair' && isSame(one.path, path));
  if (pair) return text.slice(0, pair.value) + render(value) + text.slice(pair.end);
  const table = parseToml(text).find((one) => one.kind === 'table' && isSame(one.path, path.slice(0, -1)));
  if (!table) return text;
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  return `${text.slice(0, table.end)}${newline}${path.at(-1)} = ${render(value)}${text.slice(table.end)}`;
}

/** Removes every statement at or below `path`, with its lines and the blank line before a table. */
export function removeTable(text: string, path: readonly string[]): string {
  let rest = text;
  for (const statement of parseToml(text)
    .filter((one) => isWithin(one.path, path))
    .reverse()) {
    rest = removeLines(rest, statement);
  }
  return rest;
}

function removeLines(text: string, { kind, start, end }: TomlStatement): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  let from = lineStart;
  if (kind !== 'pair')
    from = /(?:^|\n)(\r?\n)$/.test(text.slice(0, lineStart)) ? dropNewline(text, lineStart) : lineStart;
  return text.slice(0, from) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1));
}

function dropNewline(text: string, at: number): number {
  return text[at - 2] === '\r' ? at - 2 : at - 1;
}

/** The values at or below `path`. */
export function findWithin(text: string, path: readonly string[]): TomlStatement[] {
  return parseToml(text).filter((one) => isWithin(one.path, path));
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return path.length >= outer.length && isSame(path.slice(0, outer.length), outer);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/** A JSON string is a TOML string, and so is an array of them. */
function render(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(render).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)} = ${render(one)}`)
    .join(', ')} }`;
}
