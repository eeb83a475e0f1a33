// Searches files with a walk. If that takes long, an index of names is used as well, and text is searched with ripgrep if it
// is installed. Every result is checked here before it is returned.
import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPause, type HeldFolder, holdFolder, kindOf, nameOf } from '../../../files/folder.ts';
import { isOwnFile, isOwnInode } from '../../../files/own.ts';
import type { Finders } from './candidates.ts';
import { createFindText, type FindText, type MatchedLine } from './content.ts';
import { createMatch, type FileFilter, type FileKind, typeOf, type Wanted } from './match.ts';
import { comparePlaces, compareWays, type FilePosition } from './position.ts';
import type { Roots } from './roots.ts';
import { turnMs, walkFolders } from './walk.ts';

interface SearchRequest extends Wanted {
  content?: string | undefined;
  limit: number;
  after?: FilePosition | undefined;
}

export interface FoundFile extends Partial<MatchedLine> {
  place: FilePosition;
  type: FileKind;
  stats: Stats;
}

interface SearchResult {
  files: FoundFile[];
  /** Where to continue; undefined at the end. */
  next?: FilePosition | undefined;
  /** The search timed out. */
  incomplete: boolean;
  /** Some names come from an index, which may lack the newest files. */
  index: boolean;
}

export interface SearchTimes {
  /** For the walk alone, before an index is asked. */
  walkMs: number;
  wholeMs: number;
}

export const searchTimes: SearchTimes = { walkMs: 400, wholeMs: 10_000 };

interface Search extends SearchRequest {
  roots: Roots;
  match: FileFilter;
  findText: FindText | undefined;
  signal: AbortSignal;
}

export async function searchFiles(
  tops: readonly string[],
  roots: Roots,
  request: SearchRequest,
  { finders, signal, searchTimes }: { finders: Finders; signal: AbortSignal; searchTimes: SearchTimes },
): Promise<SearchResult> {
  const findText = request.content === undefined ? undefined : createFindText(request.content);
  const search: Search = { ...request, roots, match: createMatch(request), findText, signal };
  const began = performance.now();
  const left = () => searchTimes.wholeMs - (performance.now() - began);
  const result: SearchResult = { files: [], incomplete: false, index: false };
  const start = request.after ? tops.indexOf(request.after.top) : 0;
  for (const top of tops.slice(start)) {
    const after = request.after?.top === top ? request.after : undefined;
    const around = { roots: roots.folders, signal, timeoutMs: Math.max(1, left()) };
    const texts = request.content === undefined ? undefined : await finders.texts(request.content, top, around);
    if (texts) await checkCandidates(search, top, after, texts, result, left);
    else {
      const words = wordsOf(request);
      const canAsk = words.length > 0 && !findText;
      const leftToWalk = () => (canAsk ? left() - searchTimes.wholeMs + searchTimes.walkMs : left());
      const walked = await walk(search, top, after, result, leftToWalk);
      if (walked === 'late' && canAsk) await askIndex(search, { top, after, words, result, left, finders, around });
      else if (walked === 'late') result.incomplete = true;
    }
    if (result.next) return result;
  }
  return result;
}

/** Adds to the result until it is full, everything has been seen, or time is up. */
async function walk(
  search: Search,
  top: string,
  after: FilePosition | undefined,
  result: SearchResult,
  left: () => number,
): Promise<'done' | 'late'> {
  const { signal } = search;
  let last: FilePosition | undefined;
  const pause = createPause(turnMs, signal);
  for await (const { way, held, entries } of walkFolders(top, after?.way ?? [], signal)) {
    const order = after ? compareWays(way, after.way) : 1;
    if (order > 0) last = { top, way, name: '' };
    for (const entry of order < 0 ? [] : entries) {
      const name = nameOf(entry);
      if (order === 0 && after && name <= after.name) continue;
      const place = { top, way, name };
      if (await add(search, held, place, kindOf(entry), result)) return 'done';
      last = place;
      if (!search.findText) continue;
      // Files are read here, and a folder may have many.
      if (left() < 0) break;
      await pause();
    }
    // Only ever forward: each page gets at least one step further.
    if (left() < 0 && last) {
      result.next = last;
      return 'late';
    }
  }
  return 'done';
}

/** Whether the result is full now. */
async function add(
  { match, findText, limit }: Search,
  held: HeldFolder,
  place: FilePosition,
  type: FileKind,
  result: SearchResult,
): Promise<boolean> {
  if (!match.byType(type) || !match.byName(place)) return false;
  const stats = lookAt(held, place.name);
  if (!stats || typeOf(stats) !== type || !match.byFacts(stats)) return false;
  const found = await findText?.(join(held.folder, place.name));
  if ((findText && !found) || !held.isStill()) return false;
  if (result.files.length === limit) {
    result.next = result.files.at(-1)?.place;
    return true;
  }
  result.files.push({ place, type, stats, ...found });
  return false;
}

/** Nothing of a file of this installation. */
function lookAt({ folder, path }: HeldFolder, name: string): Stats | undefined {
  try {
    const stats = lstatSync(join(path, name));
    return isOwnFile(join(folder, name)) || isOwnInode(stats) ? undefined : stats;
  } catch {
    return undefined;
  }
}

interface Asking {
  top: string;
  after: FilePosition | undefined;
  words: readonly string[];
  result: SearchResult;
  left(): number;
  finders: Finders;
  around: Parameters<Finders['names']>[2];
}

/** Results of the walk stay: they are newer than the index. */
async function askIndex(search: Search, asking: Asking): Promise<void> {
  const { top, words, result, left, finders, around } = asking;
  const from = result.next;
  const names = await finders.names(words, top, around);
  if (!names) {
    result.next = undefined;
    const walked = await walk(search, top, from, result, left);
    if (walked === 'late') result.incomplete = true;
    return;
  }
  result.index = true;
  result.next = undefined;
  await checkCandidates(search, top, from, names, result, left);
}

async function checkCandidates(
  search: Search,
  top: string,
  after: FilePosition | undefined,
  paths: readonly string[],
  result: SearchResult,
  left: () => number,
): Promise<void> {
  const places = paths.map((path) => placeOf(top, path)).filter((place) => place !== undefined);
  places.sort(comparePlaces);
  let turn = performance.now();
  for (const place of places) {
    if (after && comparePlaces(place, after) <= 0) continue;
    if (performance.now() - turn > turnMs) {
      await nextTurn();
      search.signal.throwIfAborted();
      turn = performance.now();
      if (left() < 0) {
        result.next = place;
        result.incomplete = true;
        return;
      }
    }
    const folder = join(top, ...place.way);
    if (!search.match.byName(place)) continue;
    const held = holdFolder(folder);
    if (typeof held === 'string') continue;
    try {
      const stats = lookAt(held, place.name);
      if (stats && (await add(search, held, place, typeOf(stats), result))) return;
    } finally {
      held.close();
    }
  }
}

/** Undefined for files of git, and for paths outside the folder. */
function placeOf(top: string, path: string): FilePosition | undefined {
  const parts = relative(top, dirname(path)).split(sep).filter(Boolean);
  return parts.includes('..') || parts.includes('.git') ? undefined : { top, way: parts, name: basename(path) };
}

/** Search words for an index: words of the query, and the longest part of the name without wildcards. */
function wordsOf({ query = '', name = '' }: Wanted): string[] {
  const part = name.split(/[*?]+/).sort((a, b) => b.length - a.length)[0] ?? '';
  return [...query.split(/\s+/), part].filter((word) => word.length > 1);
}
