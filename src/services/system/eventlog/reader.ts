// What a platform's log has to offer: its logs, and one log's entries from the newest back. Whatever a reader can leave out
// by itself it may leave out; what is right is decided once, in `matches`, for all of them.
import { LoreError } from '../../../core/error.ts';
import { isAtLeast, type Level, type LogEntry } from './entry.ts';

export interface LogInfo {
  name: string;
  description?: string;
}

export interface LogFilter {
  minLevel?: Level | undefined;
  source?: string | undefined;
  eventId?: string | undefined;
  /** Epoch milliseconds, both within. */
  since?: number | undefined;
  until?: number | undefined;
  text?: string | undefined;
}

export interface LogQuery extends LogFilter {
  /** As `resolve` gave it. */
  log: string;
  /** Begins with what comes after this place. */
  after?: string | undefined;
  /** No more than this many that match will be taken; Infinity where only the page can tell. */
  atMost: number;
  signal: AbortSignal;
}

export interface FoundEntry {
  entry: LogEntry;
  /** Where to go on after it; good for as long as the log keeps the entry. */
  place: string;
}

export interface LogReader {
  list(signal: AbortSignal): Promise<LogInfo[]>;
  /** The log's own name for what a caller calls it; undefined where there is none. */
  resolve(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Whether such a log exists, if the name alone does not show it. Called when nothing was found. */
  isLog?(log: string, signal: AbortSignal): Promise<boolean>;
  /** Newest first, in batches. Ending the iteration ends the program that it runs. */
  read(query: LogQuery): AsyncGenerator<readonly FoundEntry[], void, void>;
  /** Upper bound of the number of entries, if it is cheap to get. */
  bound?(log: string, signal: AbortSignal): Promise<number | undefined>;
}

export function matches(entry: LogEntry, filter: LogFilter): boolean {
  const { minLevel, source, eventId, since, until, text } = filter;
  if (minLevel !== undefined && !isAtLeast(entry.level, minLevel)) return false;
  if (source !== undefined && entry.source !== source) return false;
  if (eventId !== undefined && eventId !== String(entry.eventId) && eventId !== entry.messageId) return false;
  if (since !== undefined || until !== undefined) {
    const at = Date.parse(entry.timestamp);
    if (at < (since ?? Number.NEGATIVE_INFINITY) || at > (until ?? Number.POSITIVE_INFINITY)) return false;
  }
  return text === undefined || entry.message.toLowerCase().includes(text.toLowerCase());
}

export function cursorError(): LoreError {
  return new LoreError('invalid_input', 'Cannot read the cursor: eventlog_query did not return it', {
    details: { path: 'arguments.cursor', expected: 'a cursor from an earlier page', received: 'another text' },
  });
}

/** Longer messages are truncated. */
const maxMessage = 8_000;

export function cutMessage(message: string): string {
  if (message.length <= maxMessage) return message;
  return `${message.slice(0, maxMessage).replace(/[\ud800-\udbff]$/, '')} [… truncated: ${message.length} characters]`;
}
