// The state of cited files when a memory was stored: hashes, no text. It contains only files that existed, so that a planned
// file or one of another project is never reported as gone.

import { type FileText, lookAt, readLook } from '../../../files/project-file.ts';
import type { Citation } from './citation.ts';
import { hashDefinition, hasSymbol, markLines, sketchOf } from './citation-mark.ts';

export interface FileSnapshot {
  modified: number;
  size: number;
  /** Hash of the whole text; none for a folder or a file that is too large. */
  hash?: string;
  /** A sample of the lines, for a file that is cited as a whole. */
  sketch?: number[];
  /** The definition's hash, or '' where the symbol is only used. */
  symbols?: Record<string, string>;
  /** By the lines cited: `42`, `42-50`. */
  lines?: Record<string, number>;
  /** Words that both the memory and the file contain. */
  said?: string[];
}

export interface CodeSnapshot {
  files: Record<string, FileSnapshot>;
}

export const maxFiles = 8;
/** A word that a file is full of proves nothing by staying. */
const maxOccurrences = 3;

/** Never throws; unreadable files are omitted. */
export async function takeSnapshot(citations: readonly Citation[], root: string): Promise<CodeSnapshot> {
  const files: Record<string, FileSnapshot> = {};
  const names = [...new Set(citations.map(({ file }) => file))].slice(0, maxFiles);
  await Promise.all(
    names.map(async (name) => {
      const look = await lookAt(root, name);
      if (look === undefined || look === 'gone') return;
      const content = await readLook(look);
      const { modified, size } = look;
      const cited = citations.filter(({ file }) => file === name);
      files[name] = { modified, size, ...(content === undefined ? {} : markText(content, cited)) };
    }),
  );
  return { files: Object.fromEntries(names.flatMap((name) => (files[name] ? [[name, files[name]]] : []))) };
}

function markText(content: FileText, citations: readonly Citation[]): Omit<FileSnapshot, 'modified' | 'size'> {
  const { text, lines, hash } = content;
  const marks: Omit<FileSnapshot, 'modified' | 'size'> = { hash };
  for (const { symbol, line, endLine, said } of citations) {
    if (symbol !== undefined && hasSymbol(text, symbol)) {
      marks.symbols = { ...marks.symbols, [symbol]: hashDefinition(text, symbol) ?? '' };
    }
    const mark = line === undefined ? undefined : markLines(lines, line, endLine);
    if (line !== undefined && mark !== undefined) marks.lines = { ...marks.lines, [lineKey(line, endLine)]: mark };
    const telling = (said ?? []).filter((word) => isTelling(text, word));
    if (telling.length > 0) marks.said = [...new Set([...(marks.said ?? []), ...telling])];
  }
  if (!marks.symbols && !marks.lines) marks.sketch = sketchOf(lines);
  return marks;
}

export function lineKey(line: number, endLine?: number): string {
  return endLine === undefined ? String(line) : `${line}-${endLine}`;
}

function isTelling(text: string, word: string): boolean {
  const count = text.split(word, maxOccurrences + 2).length - 1;
  return count > 0 && count <= maxOccurrences;
}

/** Parses a stored snapshot; undefined if it is invalid. */
export function readSnapshot(value: unknown): CodeSnapshot | undefined {
  if (!isRecord(value) || !isRecord(value.files)) return undefined;
  const files: Record<string, FileSnapshot> = {};
  for (const [name, entry] of Object.entries(value.files).slice(0, maxFiles)) {
    if (isFileSnapshot(entry)) files[name] = entry;
  }
  return { files };
}

function isFileSnapshot(value: unknown): value is FileSnapshot {
  if (!isRecord(value)) return false;
  const { modified, size, hash, sketch, symbols, lines, said } = value;
  return (
    typeof modified === 'number' &&
    typeof size === 'number' &&
    (hash === undefined || typeof hash === 'string') &&
    (sketch === undefined || isListOf('number', sketch)) &&
    (said === undefined || isListOf('string', said)) &&
    (symbols === undefined || (isRecord(symbols) && isListOf('string', Object.values(symbols)))) &&
    (lines === undefined || (isRecord(lines) && isListOf('number', Object.values(lines))))
  );
}

function isListOf(type: 'number' | 'string', value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
