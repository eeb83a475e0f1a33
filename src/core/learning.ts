// Where and when learning is off. The settings contain pauses by project id or "all", each as intervals
// "from/until" in ISO 8601 with spaces between them, where "..", as in the standard, has no end. Conversations held during a pause are not learned later either.
import { LoreError } from './error.ts';

export interface LearningRules {
  /** The end of the pause in one of these projects at that time; Infinity without an end. */
  pausedUntil(projects: readonly string[], at: number): number | undefined;
  /** Whether hooks and learning are off in a folder. */
  ignores(folder: string): boolean;
  /** Timeout for the client's model to pick the facts, in ms; 0 disables it. */
  samplingMs(): number;
}

export const alwaysLearning: LearningRules = {
  pausedUntil: () => undefined,
  ignores: () => false,
  samplingMs: () => 30_000,
};

export type Pauses = { readonly [project: string]: string };

export interface Interval {
  from: number;
  until: number;
}

/** The key for every project. */
export const everyProject = 'all';

/** The end of the pause in one of these projects at that time: a date, or Infinity. */
export function pausedUntil(pauses: Pauses, projects: readonly string[], at: number): number | undefined {
  const ends = [...projects, everyProject]
    .flatMap((key) => readIntervals(pauses, key))
    .flatMap(({ from, until }) => (from <= at && at < until ? [until] : []));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** The pauses of a project, oldest first. */
export function readIntervals(pauses: Pauses, key: string): Interval[] {
  return Object.hasOwn(pauses, key) ? (pauses[key] as string).trim().split(/\s+/).map(readInterval) : [];
}

/** An invalid value pauses without an end: in doubt, nothing is learned. */
function readInterval(text: string): Interval {
  const [from = '', until = ''] = text.split('/');
  const end = until === '..' ? Number.POSITIVE_INFINITY : Date.parse(until);
  const start = Date.parse(from);
  return Number.isNaN(end) || Number.isNaN(start)
    ? { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
    : { from: start, until: end };
}

export function writeIntervals(intervals: readonly Interval[]): string {
  const write = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : '..');
  return intervals.map(({ from, until }) => `${write(Math.max(0, from))}/${write(until)}`).join(' ');
}

const units: Record<string, number> = { m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A span like 30m, 2h or 1d, in milliseconds. */
export function readSpan(text: string): number {
  const [, count, unit] = /^(\d{1,4})\s*(m|min|h|d|w)$/.exec(text.trim().toLowerCase()) ?? [];
  if (count !== undefined && unit !== undefined && Number(count) > 0) return Number(count) * (units[unit] as number);
  throw new LoreError('invalid_input', `Cannot pause for "${text}": it is not a duration`, {
    hint: 'Durations look like 30m, 2h, 1d or 1w.',
  });
}

export function describeEnd(until: number): string {
  return until === Number.POSITIVE_INFINITY
    ? ''
    : ` until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
