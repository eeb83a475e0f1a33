// A line of a syslog file: with the old date that has neither year nor zone, with an ISO date, or whole as RFC 5424 has it.
// Files seldom keep the priority; then the level is read from the message's own words.
import { type Level, levelOfPriority } from './entry.ts';

interface SyslogLine {
  time: number;
  level: Level;
  source: string;
  message: string;
}

const priority = /^<(\d{1,3})>/;
const traditional = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d) (\S+) (.*)$/s;
const dated = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?) (\S+) (.*)$/s;
const structured = /^1 (\S+) (\S+) (\S+) (\S+) (\S+) (?:-|((?:\[(?:[^\]\\]|\\.)*\])+)) ?(.*)$/s;
const tagged = /^([^\s:[\]]{1,100})(?:\[[^\]]{0,40}\])?: ?(.*)$/s;
const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const dayMs = 86_400_000;

/** Undefined for a line that begins no entry. `newest` is a time that the entry is not later than, but for a clock's error. */
export function readSyslogLine(line: string, newest: number): SyslogLine | undefined {
  const given = priority.exec(line)?.[1];
  const rest = given === undefined ? line : line.slice(given.length + 2);
  const read = given === undefined ? undefined : readStructured(rest);
  const [time, tag] = read ? [read.time, read] : readDated(rest, newest);
  if (time === undefined || Number.isNaN(time) || tag === undefined) return undefined;
  const level = given === undefined ? guessLevel(tag.message) : levelOfPriority(Number(given) & 7);
  return { time, level, source: tag.source, message: tag.message };
}

type Tagged = Pick<SyslogLine, 'source' | 'message'>;

function readStructured(rest: string): (Tagged & { time: number }) | undefined {
  const [, date, , app, , , , message] = structured.exec(rest) ?? [];
  if (date === undefined) return undefined;
  return { time: Date.parse(date), source: app === '-' ? 'syslog' : (app as string), message: message ?? '' };
}

function readDated(rest: string, newest: number): [number | undefined, Tagged | undefined] {
  const iso = dated.exec(rest);
  if (iso) return [Date.parse((iso[1] as string).replace(' ', 'T').replace(',', '.')), readTag(iso[3] as string)];
  const [, month, day, hour, minute, second, , tag] = traditional.exec(rest) ?? [];
  if (month === undefined || months.indexOf(month) % 3 !== 0) return [undefined, undefined];
  const index = months.indexOf(month) / 3;
  const at = (year: number) =>
    new Date(year, index, Number(day), Number(hour), Number(minute), Number(second)).getTime();
  const year = new Date(newest).getFullYear();
  const time = at(year);
  return [time > newest + dayMs ? at(year - 1) : time, readTag(tag as string)];
}

function readTag(tag: string): Tagged {
  const [, source, message] = tagged.exec(tag) ?? [];
  return source === undefined ? { source: 'syslog', message: tag } : { source, message: message as string };
}

const grave = /\b(?:panic|fatal|critical|emerg|emergency|oops|segfault|out of memory)\b/i;
const wrong = /\b(?:errors?|err|fail|fails|failed|failure|exception|denied|refused|cannot|could not|unable)\b/i;
const doubtful = /\b(?:warn|warning|deprecated|timeout|timed out|retrying)\b/i;

function guessLevel(message: string): Level {
  if (grave.test(message)) return 'CRITICAL';
  if (wrong.test(message)) return 'ERROR';
  return doubtful.test(message) ? 'WARNING' : 'INFORMATION';
}
