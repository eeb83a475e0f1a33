// A search among files: a walk finds what is there now; where that takes long, an index of names is asked as well, and
// texts are looked for by ripgrep where it is installed. Whatever anybody finds is looked at here before it is told.
import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Finders } from './candidates.ts';
import { createFindText, type FindText, type Line } from './content.ts';
import { type HeldFolder, holdFolder } from './folder.ts';
import { createMatch, type FileType, type Match, typeOf, type Wanted } from './match.ts';
import { comparePlaces, compareWays, type Place } from './place.ts';
import type { Roots } from './roots.ts';
import { turnMs, walkFolders } from './walk.ts';

interface SearchRequest extends Wanted {
  content?: string | undefined;
  limit: number;
  after?: Place | undefined;
}

export interface FoundFile extends Partial<Line> {
  place: Place;
  type: FileType;
  stats: Stats;
}

interface SearchResult {
  files: FoundFile[];
  /** Where to go on; nothing where all has been seen. */
  next?: Place | undefined;
  /** Time was up before everything had been looked at. */
  incomplete: boolean;
  /** Some names come from an index, which knows nothing of the newest files. */
  index: boolean;
}

export interface Patience {
  /** For the walk alone, before an index is asked. */
  walkMs: number;
  wholeMs: number;
}

export const patience: Patience = { walkMs: 400, wholeMs: 10_000 };

interface Search extends SearchRequest {
  roots: Roots;
  match: Match;
  findText: FindText | undefined;
  signal: AbortSignal;
}

export async function searchFiles(
  tops: readonly string[],
  roots: Roots,
  request: SearchRequest,
  { finders, signal, patience }: { finders: Finders; signal: AbortSignal; patience: Patience },
): Promise<SearchResult> {
  const findText = request.content === undefined ? undefined : createFindText(request.content);
  const search: Search = { ...request, roots, match: createMatch(request), findText, signal };
  const began = performance.now();
  const left = () => patience.wholeMs - (performance.now() - began);
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
      const leftToWalk = () => (canAsk ? left() - patience.wholeMs + patience.walkMs : left());
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
  after: Place | undefined,
  result: SearchResult,
  left: () => number,
): Promise<'done' | 'late'> {
  const { roots, signal } = search;
  const skip = (path: string, name: string) => name === '.git' || roots.isOwn(path);
  let last: Place | undefined;
  let turn = performance.now();
  for await (const { way, folder, held, entries } of walkFolders(top, after?.way ?? [], { skip, signal })) {
    const order = after ? compareWays(way, after.way) : 1;
    if (order > 0) last = { top, way, name: '' };
    for (const entry of order < 0 ? [] : entries) {
      if (order === 0 && after && entry.name <= after.name) continue;
      const place = { top, way, name: entry.name };
      if (add(search, held, folder, place, typeOf(entry), result)) return 'done';
      last = place;
      if (!search.findText) continue;
      // Files are read here, and a folder may have many.
      if (left() < 0) break;
      if (performance.now() - turn > turnMs) {
        await nextTurn();
        signal.throwIfAborted();
        turn = performance.now();
      }
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
function add(
  { roots, match, findText, limit }: Search,
  held: HeldFolder,
  folder: string,
  place: Place,
  type: FileType,
  result: SearchResult,
): boolean {
  if (!match.byType(type) || !match.byName(place) || roots.isOwn(join(folder, place.name))) return false;
  const found = look(held, place.name, findText);
  if (!found || typeOf(found.stats) !== type || !match.byFacts(found.stats) || !held.isStill()) return false;
  if (result.files.length === limit) {
    result.next = result.files.at(-1)?.place;
    return true;
  }
  result.files.push({ place, type, ...found });
  return false;
}

function look(
  held: HeldFolder,
  name: string,
  findText: FindText | undefined,
): ({ stats: Stats } & Partial<Line>) | undefined {
  if (findText) {
    const text = findText(held, name);
    return text && { stats: text.stats, ...text.found };
  }
  try {
    return { stats: lstatSync(join(held.path, name)) };
  } catch {
    return undefined;
  }
}

interface Asking {
  top: string;
  after: Place | undefined;
  words: readonly string[];
  result: SearchResult;
  left(): number;
  finders: Finders;
  around: Parameters<Finders['names']>[2];
}

/** What the walk has found so far stays: it is newer than what an index knows. */
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
  after: Place | undefined,
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
    if (!held) continue;
    try {
      const found = look(held, place.name, undefined);
      if (found && add(search, held, folder, place, typeOf(found.stats), result)) return;
    } finally {
      held.close();
    }
  }
}

/** Nothing for what belongs to git, and for what is not below the folder. */
function placeOf(top: string, path: string): Place | undefined {
  const parts = relative(top, dirname(path)).split(sep).filter(Boolean);
  return parts.includes('..') || parts.includes('.git') ? undefined : { top, way: parts, name: basename(path) };
}

/** What an index can be asked for: words of the query, and the longest part of the name without a sign in it. */
function wordsOf({ query = '', name = '' }: Wanted): string[] {
  const part = name.split(/[*?]+/).sort((a, b) => b.length - a.length)[0] ?? '';
  return [...query.split(/\s+/), part].filter((word) => word.length > 1);
}
