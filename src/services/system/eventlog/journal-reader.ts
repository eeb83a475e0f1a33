// The systemd journal, read with journalctl from the newest entry back. journalctl does the filtering that it supports; it is
// ended when a page is full or the call is cancelled.
import { LoreError } from '../../../core/error.ts';
import { type Program, runProgram, streamLines } from '../../../core/program/program.ts';
import { isAtLeast, type Level } from './entry.ts';
import { journalCursor, journalFields, readJournalLine } from './journal-line.ts';
import { argumentsOf, journalParts, nameJournalLog } from './journal-logs.ts';
import { cursorError, type FoundEntry, type LogInfo, type LogQuery, type LogReader } from './reader.ts';

interface JournalOptions {
  /** Placed before all others, such as the journal's folder. */
  arguments?: readonly string[];
}

/** Entries with longer messages are skipped. */
const maxLine = 16 * 1024 * 1024;
const maxNames = 2_000;
const maxList = 4 * 1024 * 1024;
const knownMs = 5_000;

/** The least urgent priority that is asked for; entries without one count as information, and journalctl would drop them. */
const priorityOf: Partial<Record<Level, number>> = { CRITICAL: 2, ERROR: 3, WARNING: 4 };

interface JournalReader extends LogReader {
  /** Whether there is an entry to read. */
  isThere(signal: AbortSignal): Promise<boolean>;
}

export function createJournalReader({ arguments: first = [] }: JournalOptions = {}): JournalReader {
  const run = (args: readonly string[], action: string, signal: AbortSignal): Program => ({
    program: 'journalctl',
    args: [...first, '--quiet', '--no-pager', ...args],
    action,
    signal,
    // A long journal may pass by; what bounds it is the time that a page is given.
    maxBytes: 2 ** 33,
    // So it says, without a word, that a search found nothing.
    accepts: (status, complaint) => status === 1 && complaint.trim() === '',
    explain: (_, complaint) => explain(action, complaint),
  });
  const ask = async (args: readonly string[], signal: AbortSignal) =>
    (await runProgram({ ...run(args, 'read the journal', signal), maxBytes: maxList }))
      .split('\n')
      .filter((line) => line !== '');
  const known = new Map<string, { at: number; count: number }>();

  return {
    async isThere(signal) {
      const args = ['--lines=1', '--output=json', '--output-fields=PRIORITY'];
      return (await ask(args, signal).catch(orNone)).length > 0;
    },

    async list(signal) {
      const [boots, units] = await Promise.all([
        ask(['--list-boots'], signal).catch(orNone),
        ask(['--field=_SYSTEMD_UNIT'], signal).catch(orNone),
      ]);
      return [...journalParts, ...boots.flatMap(describeBoot).reverse(), ...units.sort().flatMap(describeUnit)].slice(
        0,
        maxNames,
      );
    },

    resolve: async (name) => nameJournalLog(name),

    /** Ignores the filter: units without entries are not logs. */
    async isLog(log, signal) {
      if (!log.startsWith('unit:')) return true;
      const one = ['--lines=1', '--output=json', '--output-fields=PRIORITY', ...argumentsOf(log).options];
      return (await ask(one, signal)).length > 0;
    },

    async *read(query) {
      const action = `read log "${query.log}"`;
      for await (const lines of streamLines(run(argumentsFor(query), action, query.signal), maxLine)) {
        const found = lines.flatMap((line) => readJournalLine(line, query.log) ?? []);
        const end = found.findIndex((each) => isBefore(each, query.since));
        if (end < 0) yield found;
        else return yield found.slice(0, end);
      }
    },

    async bound(log, signal) {
      if (log !== 'system') return undefined;
      const last = known.get(log);
      if (last && performance.now() - last.at < knownMs) return last.count;
      let count = 0;
      for (const line of await ask(['--header'], signal))
        count += Number(/^Entry objects: (\d+)$/.exec(line)?.[1] ?? 0);
      known.set(log, { at: performance.now(), count });
      return count;
    },
  };
}

function argumentsFor(query: LogQuery): string[] {
  const { after, since, until, minLevel, source, eventId } = query;
  if (after !== undefined && !journalCursor.test(after)) throw cursorError();
  const { options, matches } = argumentsOf(
    query.log,
    ...(source === undefined ? [] : [[`SYSLOG_IDENTIFIER=${source}`, `_COMM=${source}`]]),
    ...(eventId === undefined || eventId.length < 32 ? [] : [[`MESSAGE_ID=${eventId}`]]),
  );
  const priority = minLevel === undefined ? undefined : priorityOf[minLevel];
  return [
    '--reverse',
    '--output=json',
    '--all',
    `--output-fields=${journalFields}`,
    ...options,
    ...(isLeftToJournal(query) ? [`--lines=${query.atMost}`] : []),
    ...(priority === undefined ? [] : [`--priority=${priority}`]),
    ...searchFor(query),
    // Only one of the two is allowed, and reading ends at `since` anyway.
    ...(after === undefined ? [] : [`--after-cursor=${after}`]),
    ...(after === undefined && since !== undefined ? [`--since=${secondsOf(since)}`] : []),
    ...(after === undefined && until !== undefined ? [`--until=${secondsOf(until)}`] : []),
    '--',
    ...matches,
  ];
}

/**
 * Ten times as fast as filtering here; results are checked again. Plain letters only, because the two differ in case
 * folding of others.
 */
function searchFor({ text }: LogQuery): string[] {
  if (text === undefined || !/^[\x20-\x7e]+$/.test(text)) return [];
  return [`--grep=${text.replace(/[^A-Za-z0-9 ]/g, '\\$&')}`, '--case-sensitive=false'];
}

/** No filter is left for this process, so journalctl can count. */
function isLeftToJournal({ minLevel, source, eventId, text, atMost }: LogQuery): boolean {
  const isCounted = minLevel === undefined || minLevel === 'VERBOSE' || isAtLeast(minLevel, 'WARNING');
  return Number.isFinite(atMost) && isCounted && source === undefined && eventId === undefined && text === undefined;
}

function secondsOf(time: number): string {
  return `@${(time / 1000).toFixed(3)}`;
}

function isBefore({ entry }: FoundEntry, since: number | undefined): boolean {
  return since !== undefined && Date.parse(entry.timestamp) < since;
}

function describeBoot(line: string): LogInfo[] {
  const [, index, id, span] = /^\s*(-?\d+)\s+([0-9a-f]{32})\s+(.*)$/.exec(line) ?? [];
  return index === undefined ? [] : [{ name: `boot:${index}`, description: `${id}, ${span?.replace(/\s+/g, ' ')}` }];
}

function describeUnit(unit: string): LogInfo[] {
  const name = nameJournalLog(`unit:${unit}`);
  return name === undefined ? [] : [{ name }];
}

/** An unreadable journal is empty; callers that need one report that it is missing. */
function orNone(error: unknown): string[] {
  if (error instanceof LoreError && error.word !== 'timeout') return [];
  throw error;
}

function explain(action: string, complaint: string): LoreError | undefined {
  if (/permission/i.test(complaint)) {
    return new LoreError('forbidden', `Cannot ${action}: this user may not read the journal`, {
      hint: 'A person can add the user to the group systemd-journal.',
    });
  }
  if (/boot/i.test(complaint)) {
    return new LoreError('not_found', `Cannot ${action}: the journal has no such boot`, {
      hint: 'eventlog_list_logs lists the boots.',
    });
  }
  return undefined;
}
