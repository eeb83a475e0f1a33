// Parses a line of `journalctl -o json`. A field is a text, a list of bytes if it is not UTF-8, a list of either if it occurs
// several times, and null if it is too long.
import { type LogEntry, levelOfPriority, readFields } from './entry.ts';
import { cutMessage, type FoundEntry } from './reader.ts';

export const journalFields = 'MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,_COMM,_TRANSPORT,MESSAGE_ID';

/** A journal's cursor; it is handed back to journalctl, so nothing else may pass for one. */
export const journalCursor =
  /^s=[0-9a-f]{32};i=[0-9a-f]{1,16};b=[0-9a-f]{32};m=[0-9a-f]{1,16};t=[0-9a-f]{1,16};x=[0-9a-f]{1,16}$/;

/** Undefined for a line that is not an entry, such as a truncated one. */
export function readJournalLine(line: string, logName: string): FoundEntry | undefined {
  const fields = readFields(line);
  const place = fields?.__CURSOR;
  if (fields === undefined || typeof place !== 'string') return undefined;
  const messageId = textOf(fields.MESSAGE_ID);
  const entry: LogEntry = {
    id: Number.parseInt(/i=([0-9a-f]+)/.exec(place)?.[1] ?? '0', 16),
    logName,
    level: levelOfPriority(Number(textOf(fields.PRIORITY) || '6')),
    source: textOf(fields.SYSLOG_IDENTIFIER) || textOf(fields._COMM) || textOf(fields._TRANSPORT) || 'unknown',
    eventId: 0,
    ...(messageId && { messageId }),
    message: cutMessage(textOf(fields.MESSAGE)),
    timestamp: new Date(Math.floor(Number(fields.__REALTIME_TIMESTAMP) / 1000)).toISOString(),
  };
  return { entry, place };
}

function textOf(field: unknown): string {
  if (typeof field === 'string') return field;
  if (!Array.isArray(field)) return '';
  if (typeof field[0] === 'number') return Buffer.from(field as number[]).toString('utf8');
  return textOf(field[0]);
}
