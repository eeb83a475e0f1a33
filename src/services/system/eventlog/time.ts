// Parses the start and end of a query: a date, or how long ago. Programs never get the caller's text.
import { LoreError } from '../../../core/error.ts';

const second = 1_000;
const units: readonly [RegExp, number][] = [
  [/^(?:s|secs?|seconds?)$/, second],
  [/^(?:m|mins?|minutes?)$/, 60 * second],
  [/^(?:h|hrs?|hours?)$/, 3_600 * second],
  [/^(?:d|days?)$/, 86_400 * second],
  [/^(?:w|wks?|weeks?)$/, 7 * 86_400 * second],
  [/^(?:months?)$/, 30 * 86_400 * second],
  [/^(?:y|years?)$/, 365 * 86_400 * second],
];
const counts: Readonly<Record<string, number>> = { a: 1, an: 1, the: 1, one: 1, two: 2, three: 3, half: 0.5 };
/** With a time and no zone, it is local time; a day alone is its beginning there. */
const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** Epoch milliseconds. */
export function readTime(written: string, argument: 'since' | 'until', now = Date.now()): number {
  const time = readIso(written.trim()) ?? readPhrase(written.trim().toLowerCase(), now);
  if (time !== undefined) return time;
  throw new LoreError('invalid_input', `Cannot read time "${written.slice(0, 60)}": it is not a date or phrase`, {
    details: {
      path: `arguments.${argument}`,
      expected: 'a date like 2025-03-01 or 2025-03-01T14:30:00Z, or "2 hours ago", "yesterday"',
      received: written.slice(0, 60),
    },
  });
}

function readIso(text: string): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', secs = '0', fraction = '', zone] = iso.exec(text) ?? [];
  if (year === undefined) return undefined;
  const numbers = [year, month, day, hour, minute, secs].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [y, mo, d, h, mi, s] = numbers;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const local = new Date(y, mo - 1, d, h, mi, s, ms);
  // A day that no month has runs over into the next.
  if (local.getMonth() !== mo - 1 || local.getDate() !== d || h > 23 || mi > 59 || s > 59) return undefined;
  if (zone === undefined) return local.getTime();
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 * second * (sign === '-' ? -1 : 1);
  return Date.UTC(y, mo - 1, d, h, mi, s, ms) - offset;
}

function readPhrase(text: string, now: number): number | undefined {
  if (text === 'now') return now;
  const today = new Date(now);
  const midnight = (daysAgo: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime();
  if (text === 'today') return midnight(0);
  if (text === 'yesterday') return midnight(1);
  const epoch = /^@(\d{1,11})(?:\.(\d{1,3}))?$/.exec(text);
  if (epoch) return Number(epoch[1]) * second + Number((epoch[2] ?? '').padEnd(3, '0'));
  const [, last, count, unit] =
    /^(?:in |for |within )?(?:the )?(last |past )?-?(\d{1,6}(?:\.\d{1,3})?|[a-z]+)??\s*([a-z]+)(?: ago)?$/.exec(text) ??
    [];
  const length = units.find(([pattern]) => pattern.test(unit ?? ''))?.[1];
  if (length === undefined || (count === undefined && last === undefined)) return undefined;
  const number = count === undefined ? 1 : Object.hasOwn(counts, count) ? counts[count] : Number(count);
  return number === undefined || Number.isNaN(number) ? undefined : now - number * length;
}
