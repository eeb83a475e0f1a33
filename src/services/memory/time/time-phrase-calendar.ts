// Days, weeks, months and years as people count them, in the process's own time zone or a named one. Weeks begin on
// Monday. A named zone costs a formatter, the own one nothing.

export interface Moment {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

export interface Span {
  from: number;
  /** Not within. */
  to: number;
}

type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface Calendar {
  read(time: number): Moment;
  /** A month or day beyond its bounds runs over into the next, as with `Date`. */
  at(year: number, month: number, day?: number, hour?: number, minute?: number): number;
}

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const own: Calendar = {
  read(time) {
    const date = new Date(time);
    return {
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
      hour: date.getHours(),
      minute: date.getMinutes(),
    };
  },
  at: (year, month, day = 1, hour = 0, minute = 0) => new Date(year, month - 1, day, hour, minute).getTime(),
};

const named = new Map<string, Calendar>();

export function createCalendar(zone?: string): Calendar {
  if (zone === undefined) return own;
  const known = named.get(zone);
  if (known) return known;
  const format = openFormat(zone);
  if (!format) return own;
  const read = (time: number): Moment => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(time)) parts[type] = Number(value);
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
    return { year, month, day, hour, minute };
  };
  const offsetAt = (time: number): number => {
    const { year, month, day, hour, minute } = read(time);
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(time / minuteMs) * minuteMs;
  };
  const calendar: Calendar = {
    read,
    at(year, month, day = 1, hour = 0, minute = 0) {
      const wall = Date.UTC(year, month - 1, day, hour, minute);
      // The offset is the one in force at the answer, which the first guess can miss by a change of the clocks.
      return wall - offsetAt(wall - offsetAt(wall));
    },
  };
  named.set(zone, calendar);
  return calendar;
}

/** A name that is no zone is as good as none: the query must still be answered. */
function openFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const [year, month, day, hour, minute] = Array<'numeric'>(5).fill('numeric');
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, year, month, day, hour, minute, hourCycle: 'h23' });
  } catch {
    return undefined;
  }
}

/** Monday is 0. */
export function weekdayOf({ year, month, day }: Moment): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

/** The calendar's own stretch that holds the time, or the one so many before (negative) or after it. */
export function spanOf(calendar: Calendar, unit: CalendarUnit, time: number, offset = 0): Span {
  const moment = calendar.read(time);
  const { year, month, day } = moment;
  const monday = day - weekdayOf(moment);
  const quarter = month - ((month - 1) % 3);
  const start = (count: number): number => {
    if (unit === 'day') return calendar.at(year, month, day + count);
    if (unit === 'week') return calendar.at(year, month, monday + 7 * count);
    if (unit === 'month') return calendar.at(year, month + count);
    if (unit === 'quarter') return calendar.at(year, quarter + 3 * count);
    return calendar.at(year + count, 1);
  };
  return { from: start(offset), to: start(offset + 1) };
}

/** The same time of day so many months away; the 31st becomes a shorter month's last day. */
export function addMonths(calendar: Calendar, time: number, count: number): number {
  const { year, month, day, hour, minute } = calendar.read(time);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return calendar.at(year, month + count, Math.min(day, last), hour, minute);
}

export function addDays(calendar: Calendar, time: number, count: number): number {
  const { year, month, day, hour, minute } = calendar.read(time);
  return calendar.at(year, month, day + count, hour, minute);
}
