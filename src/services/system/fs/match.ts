// The filters of fs_search, for names and file metadata. Patterns are matched in linear time: as a regular expression, a
// hostile pattern could take forever.
import type { Dirent, Stats } from 'node:fs';
import { LoreError } from '../../../core/error.ts';
import type { FilePosition } from './position.ts';

export const fileTypes = ['file', 'folder', 'link', 'other'] as const;
export type FileKind = (typeof fileTypes)[number];

export interface Wanted {
  query?: string | undefined;
  name?: string | undefined;
  type?: FileKind | undefined;
  min_size?: number | undefined;
  max_size?: number | undefined;
  modified_after?: string | undefined;
  modified_before?: string | undefined;
}

export interface FileFilter {
  byType(type: FileKind): boolean;
  byName(place: Pick<FilePosition, 'way' | 'name'>): boolean;
  byFacts(stats: Stats): boolean;
}

export function createMatch(wanted: Wanted): FileFilter {
  const words = (wanted.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const pattern = wanted.name?.toLowerCase();
  const after = readTime(wanted.modified_after, 'modified_after');
  const before = readTime(wanted.modified_before, 'modified_before');
  const { type, min_size: min = 0, max_size: max = Number.POSITIVE_INFINITY } = wanted;
  return {
    byType: (found) => type === undefined || found === type,
    byName({ way, name }) {
      if (pattern !== undefined && !fitsPattern(name.toLowerCase(), pattern)) return false;
      if (words.length === 0) return true;
      const low = [...way, name].join('/').toLowerCase();
      return words.every((word) => low.includes(word));
    },
    byFacts: ({ size, mtimeMs }) =>
      size >= min &&
      size <= max &&
      (after === undefined || mtimeMs >= after) &&
      (before === undefined || mtimeMs < before),
  };
}

/** `*` matches any characters, `?` one. */
export function fitsPattern(text: string, pattern: string): boolean {
  let [at, place] = [0, 0];
  let [star, tried] = [-1, 0];
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place++;
      tried = at;
    } else if (place < pattern.length && (pattern[place] === '?' || pattern[place] === text[at])) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++tried;
    } else {
      return false;
    }
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function readTime(text: string | undefined, argument: string): number | undefined {
  if (text === undefined) return undefined;
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new LoreError('invalid_input', `Cannot read time "${text}": it is not an ISO date`, {
    hint: 'Like 2026-05-01 or 2026-05-01T12:00:00Z.',
    details: { path: `arguments.${argument}`, expected: 'ISO date', received: text },
  });
}

export function typeOf(entry: Dirent | Stats): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
