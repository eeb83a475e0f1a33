// One page of a log: matching entries, newest first, and the position of the next page. A cursor names the last entry, so new
// entries shift nothing; an offset counts from the newest.
import { loadCrypto } from '../../../core/crypto.ts';
import { isCount, readCursor, writeCursor } from '../../../core/cursor.ts';
import { LoreError } from '../../../core/error.ts';
import type { LogEntry } from './entry.ts';
import { hideKeyLines } from './key-line.ts';
import { type LogFilter, type LogQuery, type LogReader, matches } from './reader.ts';

interface PageQuery extends LogFilter {
  log: string;
  limit: number;
  offset: number;
  cursor?: string | undefined;
  signal: AbortSignal;
}

export interface Page {
  entries: LogEntry[];
  totalCount: number;
  /** What `totalCount` is, where it is not exact. */
  totalBound?: 'at_least' | 'at_most' | undefined;
  nextOffset?: number | undefined;
  page: number;
  pageSize: number;
  next_cursor?: string | undefined;
  /** The timeout was reached: `next_cursor` continues there. */
  incomplete?: boolean | undefined;
}

interface PageOptions {
  /** Masks an entry; filters see the masked one. */
  mask?: ((entry: LogEntry) => LogEntry) | undefined;
  /** Timeout for a search, in ms; partial results are returned. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;
/** Of messages in one page, so that it can be sent. */
const maxCharacters = 1_500_000;

export async function readPage(reader: LogReader, query: PageQuery, options: PageOptions = {}): Promise<Page> {
  const { limit, cursor, log, signal } = query;
  const { mask, timeoutMs = defaultTimeoutMs } = options;
  const seal = sealOf(query);
  const begin =
    cursor === undefined ? { place: undefined, offset: 0 } : readCursor(cursor, (...place) => checkPlace(place, seal));
  const from = begin.place === undefined ? query.offset : begin.offset;
  const skip = from - begin.offset;
  const isFiltered = [query.minLevel, query.source, query.eventId, query.since, query.until, query.text].some(
    (value) => value !== undefined,
  );
  const bounding = isFiltered ? undefined : reader.bound?.(log, signal).catch(() => undefined);
  const filling: Filling = { entries: [], passed: 0, characters: 0, end: 'reached' };
  const deadline = performance.now() + timeoutMs;
  const asked = { ...query, after: begin.place, atMost: skip + limit + 1 };
  for await (const some of reader.read(mask ? withoutWords(asked) : asked)) {
    for (const found of some) {
      const entry = mask ? mask(found.entry) : found.entry;
      if (matches(entry, query) && !take(filling, entry, skip, limit)) break;
      filling.last = found.place;
      if (performance.now() <= deadline) continue;
      filling.end = 'late';
      break;
    }
    if (filling.end !== 'reached') break;
  }
  const { entries, passed, last, end } = filling;
  if (entries.length === 0 && end === 'reached' && reader.isLog && !(await reader.isLog(log, signal))) {
    throw unknownLogError(log);
  }
  const seen = begin.offset + Math.min(passed, skip) + entries.length;
  const next = end === 'reached' || last === undefined ? undefined : writeCursor(seal, seen, last);
  const bound = end === 'reached' ? undefined : await bounding;
  return {
    entries: hideKeyLines(entries),
    totalCount: bound ?? (end === 'full' ? seen + 1 : seen),
    ...(end !== 'reached' && { totalBound: bound === undefined ? ('at_least' as const) : ('at_most' as const) }),
    ...(end === 'full' && { nextOffset: seen }),
    page: Math.floor(from / limit) + 1,
    pageSize: limit,
    ...(next !== undefined && { next_cursor: next }),
    ...(end === 'late' && { incomplete: true }),
  };
}

interface Filling {
  entries: LogEntry[];
  /** How many matched, those before the page included. */
  passed: number;
  characters: number;
  /** Position of the last entry that was read. */
  last?: string;
  end: 'full' | 'late' | 'reached';
}

/** False when the page is full. */
function take(filling: Filling, entry: LogEntry, skip: number, limit: number): boolean {
  if (++filling.passed <= skip) return true;
  filling.characters += entry.message.length;
  const { entries, characters } = filling;
  if (entries.length === limit || (characters > maxCharacters && entries.length > 0)) {
    filling.end = 'full';
    return false;
  }
  entries.push(entry);
  return true;
}

/** With pseudonyms, words are compared with the masked text: otherwise a caller could confirm a guessed name. */
function withoutWords(query: LogQuery): LogQuery {
  const { text, source, ...rest } = query;
  return text === undefined && source === undefined ? query : { ...rest, atMost: Number.POSITIVE_INFINITY };
}

export function unknownLogError(name: string): LoreError {
  return new LoreError('not_found', `Cannot read log "${name.slice(0, 100)}": there is no such log`, {
    hint: 'eventlog_list_logs lists them.',
    details: { path: 'arguments.logName', expected: 'a name from eventlog_list_logs', received: name.slice(0, 100) },
  });
}

/** A cursor is valid only for the same query: with another its count would be wrong. */
function sealOf({ log, minLevel, source, eventId, since, until, text }: PageQuery): string {
  const asked = JSON.stringify([log, minLevel, source, eventId, since, until, text]);
  return loadCrypto().createHash('sha256').update(asked).digest('base64url').slice(0, 8);
}

function checkPlace([seal, offset, place]: unknown[], expected: string) {
  if (typeof place !== 'string' || !isCount(offset)) return undefined;
  if (seal === expected) return { place, offset };
  throw new LoreError('invalid_input', 'Cannot read the cursor: it belongs to another query', {
    hint: 'Pass the same log and filters as before, or no cursor.',
    details: {
      path: 'arguments.cursor',
      expected: 'a cursor of the same query',
      received: 'a cursor of another query',
    },
  });
}
