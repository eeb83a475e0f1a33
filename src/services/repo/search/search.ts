// One search: where, how, and the page of it that was asked for.

import type { Call } from '../../../core/call.ts';
import { isCount, readCursor, writeCursor } from '../../../core/cursor.ts';
import { LoreError } from '../../../core/error.ts';
import { resolveInside } from '../../../files/inside.ts';
import { readIndexState } from '../../../graph/derived/read.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { RepoContext } from '../context.ts';
import type { Indexer } from '../index/indexer.ts';
import { confirmFiles } from './confirm.ts';
import { searchExact } from './exact/exact.ts';
import { bounds } from './exact/hit.ts';
import type { Where } from './exact/with-ripgrep.ts';
import { countPlaces, type FileFound, groupHits, pagePlaces } from './group.ts';
import { extensionsOf } from './language.ts';
import { type Choice, chooseMode } from './mode.ts';
import { searchRanked } from './rank/ranked.ts';
import { searchSymbol } from './symbol.ts';
import type { SearchAnswer, SearchArguments } from './tool.ts';

const placesShown = 50;
const filesShown = 10;
/** Characters of a page. */
const mostText = 24_000;

interface Search {
  args: SearchArguments;
  query: string;
  caseSensitive: boolean;
  where: Where;
  extensions: readonly string[];
  offset: number;
  /** Undefined if the index is not to be used. */
  scope: Scope | undefined;
}

type Found = Omit<SearchAnswer, 'index'>;

export async function searchCode(
  { context, indexer }: { context: RepoContext; indexer: Pick<Indexer, 'keep'> },
  args: SearchArguments,
  call: Call,
): Promise<SearchAnswer> {
  const choice: Choice = args.mode === 'auto' ? chooseMode(args.query) : { mode: args.mode, query: args.query };
  const offset = args.cursor === undefined ? 0 : readCursor(args.cursor, checkPlace);
  const extensions = extensionsOf(args.language);
  const { root, scope } = await context.open(call, args.repo);
  indexer.keep(scope);
  const path = args.path === undefined ? '' : await findPath(root, args.path);
  const state = await readIndexState(scope.opened, scope.project.tree);
  // During the first indexing, the files are more complete than the index.
  const isUsable = state.files > 0 && (state.state !== 'indexing' || state.files >= (state.total ?? 0) / 2);
  const search: Search = {
    args,
    query: choice.query,
    caseSensitive: args.case_sensitive ?? /\p{Lu}/u.test(choice.query),
    where: { root, path, signal: call.signal },
    extensions,
    offset,
    scope: isUsable ? scope : undefined,
  };
  const found = await find(choice.mode, search, args.mode === 'auto');
  const files = await confirmFiles(root, found.files);
  const unconfirmed =
    found.mode === 'semantic' ? found.files.length - files.length : countPlaces(found.files) - countPlaces(files);
  return { ...found, files, total: found.total - unconfirmed, index: state.state };
}

/** From the root; a file that is named may be larger than those found by walking. */
async function findPath(root: string, given: string): Promise<string> {
  const { name, isFolder, size } = await resolveInside(root, given, { action: 'search', argument: 'arguments.path' });
  if (isFolder || size <= bounds.namedSize) return name;
  throw new LoreError('limit_exceeded', `Cannot search "${given}": it is larger than ${bounds.namedSize >> 20} MB`);
}

async function find(mode: Choice['mode'], search: Search, isOpen: boolean): Promise<Found> {
  if (mode === 'semantic') return findRanked(search);
  const found =
    mode === 'name'
      ? await findName(search)
      : mode === 'symbol'
        ? await findSymbol(search)
        : await findExact(mode, search);
  // A query that looked like code may consist of words.
  return isOpen && found.total === 0 ? findRanked(search) : found;
}

async function findExact(mode: 'literal' | 'regex', search: Search): Promise<Found> {
  const { query, caseSensitive, extensions, args } = search;
  const exact = { pattern: query, isRegex: mode === 'regex', caseSensitive, context: args.context, extensions };
  const { hits, partial } = await searchExact(exact, search.where);
  return page(mode, groupHits(hits, args.context > 0), search, partial);
}

async function findSymbol(search: Search): Promise<Found> {
  const { query: name, caseSensitive, where, extensions, scope } = search;
  return page('symbol', await searchSymbol({ name, caseSensitive, where, extensions, scope }), search);
}

/** Definitions first, then every other line that has the name. */
async function findName(search: Search): Promise<Found> {
  const { query, caseSensitive, where, extensions, scope, args } = search;
  const exact = { pattern: query, isRegex: false, caseSensitive, context: args.context, extensions };
  const [defined, { hits, partial }] = await Promise.all([
    searchSymbol({ name: query, caseSensitive: true, where, extensions, scope }),
    searchExact(exact, where),
  ]);
  const own = defined.filter(({ places }) => places.some(({ symbol }) => endsWith(symbol, query)));
  const known = new Set(own.flatMap(({ path, places }) => places.map(({ start }) => `${path}:${start}`)));
  const others = groupHits(hits, args.context > 0)
    .map((file) => ({ ...file, places: file.places.filter(({ start }) => !known.has(`${file.path}:${start}`)) }))
    .filter(({ places }) => places.length > 0);
  return page(own.length > 0 ? 'symbol' : 'literal', [...own, ...others], search, partial);
}

/** A name that only begins like the one asked for is not its definition. */
function endsWith(symbol: string | undefined, asked: string): boolean {
  const last = (name: string) => name.split(/\.|::|#/).at(-1);
  return symbol !== undefined && last(symbol) === last(asked);
}

async function findRanked({ args, query, where, extensions, scope, offset }: Search): Promise<Found> {
  const limit = Math.min(args.limit ?? filesShown, 50);
  const { files, total } = await searchRanked({ text: query, where, extensions, scope, offset, limit });
  const next = offset + files.length;
  return {
    mode: 'semantic',
    files,
    total,
    ...(next < total && files.length > 0 && { next_cursor: writeCursor('code', next) }),
  };
}

function page(mode: Found['mode'], all: readonly FileFound[], search: Search, partial?: Found['partial']): Found {
  const { args, offset } = search;
  const files = pagePlaces(all, offset, args.limit ?? placesShown, mostText);
  const total = countPlaces(all);
  const next = offset + countPlaces(files);
  return {
    mode,
    files,
    total,
    ...(partial && { partial }),
    ...(next < total && files.length > 0 && { next_cursor: writeCursor('code', next) }),
  };
}

function checkPlace(tool: unknown, offset: unknown): number | undefined {
  return tool === 'code' && isCount(offset) ? offset : undefined;
}
