// Edits JSON with comments as text: insertions follow the surrounding style, and removals leave the rest unchanged, comments
// included. Removing an insertion restores the original text.
import { type Container, type Entry, findEntry, findNode, parseJsonc, skipLineTrivia } from './jsonc.ts';

interface Style {
  newline: string;
  unit: string;
}

/** Sets `path` to the value and creates missing objects. Replaces an existing value. */
export function putValue(text: string, path: readonly string[], value: unknown): string {
  const root = parseJsonc(text);
  const style = readStyle(text);
  if (!root) return writeDocument(text, nest(path, value), style);
  let node = root;
  for (const [depth, key] of path.entries()) {
    const entry = findEntry(node, key);
    if (!entry) return append(text, node as Container, key, nest(path.slice(depth + 1), value), style);
    node = entry.value;
  }
  const rendered = render(value, style, indentAt(text, node.start));
  return splice(text, node.start, node.end, rendered);
}

/** Appends the value to the array at `path`; creates it and missing objects. */
export function appendItem(text: string, path: readonly string[], value: unknown): string {
  const list = findNode(parseJsonc(text), path);
  if (!list) return putValue(text, path, [value]);
  return append(text, list as Container, undefined, value, readStyle(text));
}

/** Removes the entry at `path`. */
export function removeAt(text: string, path: readonly string[]): string {
  const parent = findNode(parseJsonc(text), path.slice(0, -1));
  if (!parent || parent.kind === 'plain') return text;
  const index = parent.entries.findLastIndex(({ key }) => key === path.at(-1));
  return index < 0 ? text : removeEntry(text, parent, index);
}

function append(text: string, into: Container, key: string | undefined, value: unknown, style: Style): string {
  const last = into.entries.at(-1);
  const isInline = last !== undefined && !text.slice(into.start, last.start).includes('\n');
  if (isInline) return appendInline(text, into, last, key, value);
  const outer = indentAt(text, into.start);
  const inner = last ? indentAt(text, last.start) : outer + style.unit;
  const written = style.newline + inner + label(key) + render(value, style, inner);
  if (!last) return fillEmpty(text, into, written, style.newline + outer);
  if (last.comma !== undefined) {
    const place = skipLineTrivia(text, last.comma + 1);
    return splice(text, place, place, `${written},`);
  }
  const place = skipLineTrivia(text, last.value.end);
  return splice(splice(text, place, place, written), last.value.end, last.value.end, ',');
}

function appendInline(text: string, into: Container, last: Entry, key: string | undefined, value: unknown): string {
  const blank = /\s/.test(text[into.start + 1] ?? '') ? ' ' : '';
  const colon = blank === '' ? label(key).trimEnd() : label(key);
  const written = `${blank}${colon}${JSON.stringify(value)}`;
  if (last.comma !== undefined) return splice(text, last.comma + 1, last.comma + 1, `${written},`);
  return splice(text, last.value.end, last.value.end, `,${written}`);
}

/** Comments in an empty container stay before its first entry. */
function fillEmpty(text: string, into: Container, written: string, closing: string): string {
  const inside = text.slice(into.start + 1, into.end - 1).trimEnd();
  const kept = inside.trim() === '' ? '' : inside;
  return splice(text, into.start + 1, into.end - 1, kept + written + closing);
}

function removeEntry(text: string, parent: Container, index: number): string {
  const { start, value, comma } = parent.entries[index] as Entry;
  const previous = parent.entries[index - 1];
  const from = text.slice(0, start).trimEnd().length;
  let rest = splice(text, from, comma === undefined ? value.end : comma + 1, '');
  if (comma === undefined && previous?.comma !== undefined) rest = splice(rest, previous.comma, previous.comma + 1, '');
  if (parent.entries.length > 1) return rest;
  const end = parent.end - (text.length - rest.length);
  const inside = rest.slice(parent.start + 1, end - 1);
  return inside.trim() === '' ? splice(rest, parent.start + 1, end - 1, '') : rest;
}

function writeDocument(text: string, value: unknown, style: Style): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const comments = text.slice(mark.length).trim();
  const before = comments === '' ? mark : `${text.trimEnd()}${style.newline}`;
  return before + render(value, style, '') + style.newline;
}

function render(value: unknown, { newline, unit }: Style, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + indent);
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function label(key: string | undefined): string {
  return key === undefined ? '' : `${JSON.stringify(key)}: `;
}

function readStyle(text: string): Style {
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  const unit = /^([ \t]+)(?=["[{])/m.exec(text)?.[1] ?? '  ';
  return { newline, unit: unit.startsWith('\t') ? '\t' : unit };
}

/** The indentation of the line. */
function indentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^\uFEFF?([ \t]*)/.exec(text.slice(lineStart))?.[1] ?? '';
}

function splice(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}
