// Days, weeks, months, quarters and years as the user counts them: in the time zone of this process (TZ). Weeks start on
// Monday.

export interface Span {
  from: number;
  /** Exclusive. */
  to: number;
}

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const lengths = { minute: 60_000, hour: 3_600_000 } as const;
const monthsIn = { month: 1, quarter: 3, year: 12 } as const;

/** The calendar unit around a time, or the one `offset` units later. */
export function spanOf(unit: Unit, time: number, offset = 0): Span {
  return { from: startOf(unit, time, offset), to: startOf(unit, time, offset + 1) };
}

function startOf(unit: Unit, time: number, offset: number): number {
  if (unit === 'minute' || unit === 'hour') return (Math.floor(time / lengths[unit]) + offset) * lengths[unit];
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'day') return new Date(year, month, day + offset).getTime();
  if (unit === 'week') return new Date(year, month, day - ((date.getDay() + 6) % 7) + 7 * offset).getTime();
  const size = monthsIn[unit];
  return new Date(year, (Math.floor(month / size) + offset) * size).getTime();
}

/** The same time of day `count` units earlier; the 31st becomes the last day of a shorter month. */
export function goBack(unit: Unit, time: number, count: number): number {
  if (unit === 'minute' || unit === 'hour') return time - count * lengths[unit];
  const date = new Date(time);
  if (unit === 'day' || unit === 'week') return date.setDate(date.getDate() - count * (unit === 'week' ? 7 : 1));
  const day = date.getDate();
  date.setMonth(date.getMonth() - count * monthsIn[unit], 1);
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  return date.setDate(Math.min(day, last));
}

/** A day by its date; undefined for 31 June. */
export function dayOf(year: number, month: number, day: number): Span | undefined {
  const date = new Date(year, month, day);
  return date.getMonth() === month && date.getDate() === day ? spanOf('day', date.getTime()) : undefined;
}

/** The latest span that has begun, of those that recur every year: a month, a date, a season. */
export function latestOf(yearly: (year: number) => Span | undefined, now: number): Span | undefined {
  const year = new Date(now).getFullYear();
  for (let back = 0; back < 8; back++) {
    const span = yearly(year - back);
    if (span && span.from <= now) return span;
  }
  return undefined;
}

/** YYYY-MM-DD of the user's day. */
export function writeDay(time: number): string {
  const date = new Date(time);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
