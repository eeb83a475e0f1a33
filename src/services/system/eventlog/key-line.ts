// Redacts lines of a private key in log entries. Each line of the key is an entry, and filters may leave out the others, so
// there is no context: any message that looks like a line of a key is redacted.
import { entropyOf } from '../../../core/secret/rule.ts';
import type { LogEntry } from './entry.ts';

const body = /^\s*(?:[A-Za-z0-9+/]{48,}={0,2}(?:\s+|$))+$/;
const ending = /^\s*[A-Za-z0-9+/]{1,47}={0,2}\s*$/;
/** Hashes are written with sixteen letters, keys with sixty-four. */
const leastEntropy = 4.2;
const mark = '[redacted:private-key]';

/** Newest first, so that the short last line of a key precedes the others. */
export function hideKeyLines(entries: readonly LogEntry[]): LogEntry[] {
  return entries.map((entry, at) => {
    const isEnding = ending.test(entry.message) && isBody(entries[at + 1]);
    return isEnding || isBody(entry) ? { ...entry, message: mark } : entry;
  });
}

function isBody(entry: LogEntry | undefined): boolean {
  return entry !== undefined && body.test(entry.message) && entropyOf(entry.message.trim()) >= leastEntropy;
}
