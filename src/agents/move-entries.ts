// The servers in a program's settings that are not ours: they can be taken out, and put back as they were.
import { isObject } from '../core/schema.ts';
import type { ServerPart, TablePart } from './agent.ts';
import { readEntries } from './entries.ts';
import { putValue, removeAt } from './jsonc-edit.ts';
import { startsOurServer } from './launch.ts';
import { findWithin, removeTable } from './toml-edit.ts';

export interface ForeignEntry {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Its lines, in a TOML file. */
  readonly lines?: string;
}

export function listForeignEntries(part: ServerPart | TablePart, text: string): ForeignEntry[] {
  return Object.entries(readEntries(part, text)).flatMap(([name, entry]): ForeignEntry[] => {
    if (!isObject(entry)) return [];
    const words = [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])];
    if (startsOurServer(words) || /^lore(keeper)?$/i.test(name)) return [];
    if (part.kind === 'server') return [{ name, entry }];
    const statements = findWithin(text, [...part.path, name]);
    // Only a table of its own can be moved as it is.
    if (statements[0]?.kind !== 'table') return [];
    return [{ name, entry, lines: statements.map(({ start, end }) => text.slice(start, end)).join('\n') }];
  });
}

export function removeForeignEntry(part: ServerPart | TablePart, text: string, name: string): string {
  const path = [...part.path, name];
  return part.kind === 'server' ? removeAt(text, path) : removeTable(text, path);
}

/** Unless an entry has this name now. */
export function restoreForeignEntry(
  part: ServerPart | TablePart,
  text: string,
  { name, entry, lines }: ForeignEntry,
): string {
  if (Object.hasOwn(readEntries(part, text), name)) return text;
  if (part.kind === 'server') return putValue(text, [...part.path, name], entry);
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${lines}\n`;
}
