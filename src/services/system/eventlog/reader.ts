// The interface to a platform's log: its logs, and the entries of one log from the newest back. A reader may filter as far as
// it can; `matches` decides for all of them.
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
  /** Begins after this position. */
  after?: string | undefined;
  /** Most matching entries that will be used; Infinity if only the page can tell. */
  atMost: number;
  signal: AbortSignal;
}

export interface FoundEntry {
  entry: LogEntry;
  /** Position to continue from, valid while the log keeps the entry. */
  place: string;
}

export interface LogReader {
  list(signal: AbortSignal): Promise<LogInfo[]>;
  /** The log's own name for a caller's name; undefined if there is none. */
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
