// The unified log of macOS, with `log show`, which prints oldest first without a count: intervals of time are read from the
// newest back, each longer than the last, and only as much is buffered as a page needs.
import { basename } from 'node:path';
import { streamLines } from '../../../core/program/program.ts';
import { isAtLeast, type Level, readFields, readLevel } from './entry.ts';
import { cursorError, cutMessage, type FoundEntry, type LogQuery, type LogReader } from './reader.ts';

interface MacosOptions {
  program?: string;
  now?: () => number;
}

const firstStretchMs = 60_000;
const longestStretchMs = 86_400_000;
/** The log itself seldom reaches further. */
const furthestMs = 30 * 86_400_000;
const maxHeld = 20_000;

const logs: Readonly<Record<string, { description: string; predicate?: string }>> = {
  system: { description: 'Everything in the unified log' },
  kernel: { description: 'Kernel messages', predicate: 'process == "kernel"' },
  application: { description: 'Messages of programs', predicate: 'process != "kernel"' },
  security: {
    description: 'Logins and authorisation',
    predicate: '(process IN {"authd", "loginwindow", "opendirectoryd", "securityd", "sshd", "sudo"})',
  },
};

/** Among entries of the same microsecond, the clock's ticks decide. */
interface Moment {
  micros: number;
  ticks: number;
}

type Held = FoundEntry & Moment;

export function createMacosReader({ program = '/usr/bin/log', now = Date.now }: MacosOptions = {}): LogReader {
  async function readStretch(query: LogQuery, from: number, to: number, before: Moment): Promise<Held[]> {
    const held: Held[] = [];
    const args = [...argumentsFor(query), '--start', describeDate(from), '--end', describeDate(to)];
    for await (const lines of streamLines({ program, args, action: `read log "${query.log}"`, signal: query.signal })) {
      for (const line of lines) {
        const found = readLine(line, query.log);
        if (found && isBefore(found, before)) held.push(found);
      }
      if (held.length > 2 * maxHeld) held.splice(0, held.length - maxHeld);
    }
    return held.length > maxHeld ? held.slice(-maxHeld) : held;
  }
  return {
    list: async () => Object.entries(logs).map(([name, { description }]) => ({ name, description })),
    resolve: async (name) => (Object.hasOwn(logs, name.toLowerCase()) ? name.toLowerCase() : undefined),
    async *read(query) {
      let before = query.after === undefined ? endOf(query, now()) : readPlace(query.after);
      const furthest = query.since ?? now() - furthestMs;
      let to = before.micros / 1000;
      for (let length = firstStretchMs; to > furthest; length = Math.min(length * 4, longestStretchMs)) {
        const from = Math.max(to - length, furthest);
        const held = await readStretch(query, from, to, before);
        yield held.reverse();
        // If there was more than the buffer, the same interval continues before its oldest entry.
        const oldest = held.at(-1);
        if (oldest) before = oldest;
        to = held.length === maxHeld && oldest ? oldest.micros / 1000 : from;
      }
    },
  };
}

function argumentsFor({ log, minLevel }: LogQuery): string[] {
  const isGrave = minLevel !== undefined && isAtLeast(minLevel, 'WARNING');
  const predicates = [logs[log]?.predicate, isGrave ? '(messageType == error OR messageType == fault)' : undefined];
  const predicate = predicates.filter((each) => each !== undefined).join(' AND ');
  return [
    'show',
    '--style',
    'ndjson',
    ...(isGrave ? [] : ['--info']),
    ...(minLevel === undefined || minLevel === 'VERBOSE' ? ['--debug'] : []),
    ...(predicate === '' ? [] : ['--predicate', predicate]),
  ];
}

/** In local time and whole seconds, as `log` reads dates; a stretch's end is rounded up. */
function describeDate(time: number): string {
  const date = new Date(Math.ceil(time / 1000) * 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

function readLine(line: string, logName: string): Held | undefined {
  const fields = readFields(line);
  if (!fields || typeof fields.timestamp !== 'string' || typeof fields.eventMessage !== 'string') return undefined;
  if (fields.eventType !== undefined && fields.eventType !== 'logEvent') return undefined;
  const micros = readMicros(fields.timestamp);
  const ticks = Number(fields.machTimestamp) || 0;
  if (micros === undefined) return undefined;
  const program = typeof fields.processImagePath === 'string' ? basename(fields.processImagePath) : '';
  return {
    micros,
    ticks,
    place: `${micros}:${ticks}`,
    entry: {
      id: ticks,
      logName,
      level: levelOf(fields.messageType),
      source: program || String(fields.subsystem || 'unknown'),
      eventId: 0,
      message: cutMessage(fields.eventMessage),
      timestamp: new Date(Math.floor(micros / 1000)).toISOString(),
    },
  };
}

function levelOf(type: unknown): Level {
  return (typeof type === 'string' ? readLevel(type) : undefined) ?? 'INFORMATION';
}

/** `2025-07-26 18:10:17.745652-0400` */
function readMicros(timestamp: string): number | undefined {
  const [, date, time, fraction = '', sign, hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-])(\d\d):?(\d\d)$/.exec(timestamp) ?? [];
  if (date === undefined) return undefined;
  const seconds = Date.parse(`${date}T${time}${sign}${hours}:${minutes}`);
  return seconds * 1000 + Number(fraction.padEnd(6, '0'));
}

function endOf({ until }: LogQuery, now: number): Moment {
  return { micros: ((until ?? now) + 1) * 1000, ticks: 0 };
}

function isBefore(a: Moment, b: Moment): boolean {
  return a.micros < b.micros || (a.micros === b.micros && a.ticks < b.ticks);
}

function readPlace(place: string): Moment {
  const [, micros, ticks] = /^(\d{1,16}):(\d{1,16})$/.exec(place) ?? [];
  if (micros === undefined) throw cursorError();
  return { micros: Number(micros), ticks: Number(ticks) };
}
