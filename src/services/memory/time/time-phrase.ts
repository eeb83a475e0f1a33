// The stretch of past time a query speaks of ("last week", "since Tuesday", "between March and May"). Precision first: a
// time read out of a sentence that names none hides memories. Days and weeks are those of the process's own time zone
// unless another is given; weeks begin on Monday; a month or day without a year is the latest that has begun.

import { addDays, addMonths } from './time-phrase-calendar.ts';
import { readPeriod } from './time-phrase-part.ts';
import { createReader, type Period, type Reader, readsAt, wordAfter, wordAt } from './time-phrase-period.ts';
import { goBack, readCount } from './time-phrase-relative.ts';

export interface TimePhrase {
  from?: number;
  /** Not within. */
  to?: number;
  /** As written, with its preposition. */
  phrase: string;
  /** The text without it. */
  rest: string;
  /** Whether the time is stated, or only preferred: "recently", "a few weeks ago", "the October release". */
  strength: 'hard' | 'soft';
}

interface Stretch {
  from?: number;
  to?: number;
  strength: 'hard' | 'soft';
  /** When what is said to have happened then took effect. */
  moment?: number;
  next: number;
}

/** A query says its time early; a longer text is a document, whose dates are its own. */
const maxLength = 2_000;

type Side = 'since' | 'after' | 'before' | 'until' | 'asOf';

/** Longer forms first. */
const sideForms = (
  [
    ['no later than', 'until'],
    ['no earlier than', 'since'],
    ['ever since', 'since'],
    ['starting in', 'since'],
    ['starting on', 'since'],
    ['starting from', 'since'],
    ['starting with', 'since'],
    ['newer than', 'since'],
    ['younger than', 'since'],
    ['less than', 'since'],
    ['later than', 'after'],
    ['prior to', 'before'],
    ['earlier than', 'before'],
    ['older than', 'before'],
    ['more than', 'before'],
    ['at least', 'before'],
    ['up to', 'until'],
    ['up until', 'until'],
    ['as of', 'asOf'],
    ['since', 'since'],
    ['starting', 'since'],
    ['after', 'after'],
    ['before', 'before'],
    ['until', 'until'],
    ['till', 'until'],
    ['through', 'until'],
    ['by', 'until'],
  ] as const
).map(([words, side]) => [words.split(' '), side] as const);
/** By their first word. */
const sides = new Map(
  sideForms.map(([[first]]) => [first as string, sideForms.filter(([words]) => words[0] === first)] as const),
);

/** Comparisons that take a length of time ("older than two weeks") or one gone by ("more than a year ago"). */
const comparing = /^(?:newer|younger|less|older|more|at)$/;
const prepositions = /^(?:in|on|at|during|throughout|over|within|around|from|of|for)$/;
/** Before a period, these make it one to come, or any of its kind. */
const notPast = /^(?:next|every|each|coming|following|upcoming|per|an?|any)$/;

export function readTimePhrase(text: string, now: number, zone?: string): TimePhrase | undefined {
  const found = findStretch(text, now, zone);
  if (!found) return undefined;
  const { from, to, strength, start, end } = found;
  const phrase: TimePhrase = {
    phrase: text.slice(start, end),
    rest: mend(text.slice(0, start), text.slice(end)),
    strength,
  };
  if (from !== undefined) phrase.from = from;
  if (to !== undefined) phrase.to = to;
  return phrase;
}

/** When a change took effect: where the time that a sentence names begins. Never ahead of now. */
export function readMoment(text: string, now: number, zone?: string): number | undefined {
  const moment = findStretch(text, now, zone, true)?.moment;
  return moment !== undefined && moment <= now ? moment : undefined;
}

interface Placed extends Stretch {
  start: number;
  end: number;
}

/** The first that is hard, else the first. */
function findStretch(text: string, now: number, zone?: string, needsMoment = false): Placed | undefined {
  const reader = createReader(text.slice(0, maxLength), now, zone);
  let soft: Placed | undefined;
  for (let index = 0; index < reader.tokens.length; index++) {
    const stretch = readStretch(reader, index);
    if (!stretch || (needsMoment && stretch.moment === undefined) || !isPast(stretch, now)) continue;
    const start = reader.tokens[index]?.start ?? 0;
    const placed = { ...stretch, start, end: reader.tokens[stretch.next - 1]?.end ?? start };
    if (stretch.strength === 'hard') return placed;
    soft ??= placed;
    index = stretch.next - 1;
  }
  return soft;
}

function isPast({ from, to }: Stretch, now: number): boolean {
  return (from === undefined || from <= now) && (from === undefined || to === undefined || from < to);
}

function readStretch(reader: Reader, index: number): Stretch | undefined {
  if (notPast.test(wordAt(reader, index - 1) ?? '')) return undefined;
  return readBetween(reader, index) ?? readSide(reader, index) ?? readWithin(reader, index) ?? readBare(reader, index);
}

/** Between March and May, from Monday to Wednesday, March–May: the last named is within. */
function readBetween(reader: Reader, index: number): Stretch | undefined {
  const word = wordAt(reader, index);
  const opens = word === 'between' || word === 'from';
  const first = readPeriod(reader, opens ? index + 1 : index, opens);
  if (!first || (opens && wordAfter(reader, index + 1) === undefined)) return undefined;
  const joint = reader.tokens[first.next];
  const isDash = joint !== undefined && /^[-–—]$/.test(joint.gap);
  const joins = word === 'between' ? /^(?:and|&)$/ : /^(?:to|until|till|through|thru)$/;
  if (!isDash && !joins.test(wordAfter(reader, first.next) ?? '')) return undefined;
  const at = isDash ? first.next : first.next + 1;
  const last = isDash || wordAfter(reader, at) !== undefined ? readPeriod(reader, at, opens) : undefined;
  if (!last || (!opens && first.grain !== last.grain)) return undefined;
  if (!opens && first.alone === 'no' && last.alone === 'no' && first.grain !== 'month') return undefined;
  const { from, to } = align(reader, first, last);
  return { from, to, strength: 'hard', moment: from, next: last.next };
}

/** A name without a year takes the place beside the other that makes the shortest stretch. */
function align(reader: Reader, first: Period, last: Period): { from: number; to: number } {
  if (first.latest) return { from: first.latest(last.from).from, to: last.to };
  const { calendar } = reader;
  const isNear = last.from >= first.from && last.from < addMonths(calendar, first.from, 12);
  if (!last.latest || isNear) return { from: first.from, to: last.to };
  const days = last.cycle === 'week' ? 7 : 31;
  const ahead = last.cycle === 'year' ? addMonths(calendar, first.from, 12) : addDays(calendar, first.from, days);
  return { from: first.from, to: last.latest(ahead - 1).to };
}

/** Since, after, before, until: one end, or both where a second follows ("since March and before June"). */
function readSide(reader: Reader, index: number): Stretch | undefined {
  const one = readOneSide(reader, index);
  if (!one || one.strength === 'soft') return one;
  const at = /^(?:and|but)$/.test(wordAfter(reader, one.next, ',') ?? '') ? one.next + 1 : one.next;
  const other = wordAfter(reader, at, ',') === undefined ? undefined : readOneSide(reader, at);
  if (!other || (one.from === undefined) === (other.from === undefined)) return one;
  return { ...other, ...one, next: other.next };
}

function readOneSide(reader: Reader, index: number): Stretch | undefined {
  const entry = sides.get(wordAt(reader, index) ?? '')?.find(([words]) => readsAt(reader, index, words));
  if (!entry) return undefined;
  const [words, side] = entry;
  const at = index + words.length;
  if (wordAfter(reader, at) === undefined) return undefined;
  const isComparing = comparing.test(words[0] as string);
  const period = readPeriod(reader, at, true);
  if (!period) return isComparing && words[0] !== 'at' ? readLength(reader, at, side) : undefined;
  if (isComparing && /^(?:less|more|at)$/.test(words[0] as string) && period.about === undefined) return undefined;
  if (words[0] === 'by' && (period.doubtful || period.open)) return undefined;
  return bound(period, side, isComparing);
}

function bound(period: Period, side: Side, isComparing: boolean): Stretch | undefined {
  const { next, about } = period;
  const strength = period.vague ? 'soft' : 'hard';
  if (side === 'since') {
    const from = isComparing ? (about ?? period.from) : period.from;
    return { from, strength, moment: about ?? from, next };
  }
  if (side === 'before') {
    const to = isComparing ? (about ?? period.from) : period.from;
    return { to, strength, next };
  }
  if (side === 'after') return period.open ? undefined : { from: period.to, strength, moment: period.to, next };
  if (period.open) return undefined;
  return side === 'asOf'
    ? { to: period.to, strength, moment: about ?? period.from, next }
    : { to: period.to, strength, next };
}

/** Older than two weeks. */
function readLength(reader: Reader, index: number, side: Side): Stretch | undefined {
  const count = readCount(reader, index);
  if (!count || wordAfter(reader, count.next) === 'old') return undefined;
  const time = goBack(reader, count.unit, count.value);
  return { [side === 'since' ? 'from' : 'to']: time, strength: count.isVague ? 'soft' : 'hard', next: count.next };
}

/** In May, on Tuesday, during the summer, over the weekend, from March on. */
function readWithin(reader: Reader, index: number): Stretch | undefined {
  const preposition = wordAt(reader, index) ?? '';
  if (!prepositions.test(preposition) || wordAfter(reader, index + 1) === undefined) return undefined;
  const period = readPeriod(reader, index + 1, true);
  if (!period) return undefined;
  const { next, grain, alone } = period;
  if (period.about !== undefined && (preposition === 'over' || preposition === 'within')) {
    return preposition === 'over' ? bound(period, 'before', true) : bound(period, 'since', true);
  }
  if (preposition === 'from' && /^(?:on|onwards?|forward)$/.test(wordAfter(reader, next) ?? '')) {
    return { from: period.from, strength: 'hard', moment: period.from, next: next + 1 };
  }
  if (preposition === 'on' && alone !== 'hard' && grain !== 'day' && grain !== 'part' && grain !== 'weekend')
    return undefined;
  if (preposition === 'at' && grain !== 'part' && grain !== 'weekend') return undefined;
  if (preposition === 'of' && alone !== 'hard') return undefined;
  if (preposition === 'around') {
    const half = (period.to - period.from) / 2;
    return { from: period.from - half, to: period.to + half, strength: 'soft', moment: period.from, next };
  }
  const isLoose =
    (preposition === 'for' && alone !== 'hard') ||
    (preposition === 'from' && period.doubtful === true) ||
    (preposition === 'in' && grain === 'day' && alone !== 'hard');
  return within(period, isLoose ? 'soft' : 'hard');
}

function readBare(reader: Reader, index: number): Stretch | undefined {
  const period = readPeriod(reader, index, false);
  if (!period || period.alone === 'no' || isStamp(reader, index, period.next)) return undefined;
  return within(period, period.alone);
}

/** A date with the time of day, and no preposition, is from a log. */
function isStamp(reader: Reader, index: number, next: number): boolean {
  const isDated = reader.tokens.slice(index, next).some(({ text }) => /^\d/.test(text));
  return (
    /\dT\d/.test(reader.tokens[index]?.text ?? '') || (isDated && /^\d{1,2}:\d\d/.test(reader.tokens[next]?.text ?? ''))
  );
}

function within(period: Period, strength: 'hard' | 'soft'): Stretch {
  const stretch: Stretch = { from: period.from, strength: period.vague ? 'soft' : strength, next: period.next };
  if (!period.open) stretch.to = period.to;
  if (period.about !== undefined) stretch.moment = period.about;
  else if (strength === 'hard' && !period.vague) stretch.moment = period.from;
  return stretch;
}

/** What is left of a text when a phrase is taken out of it. */
function mend(before: string, after: string): string {
  const rest = `${before} ${after}`
    .replace(/\s+/g, ' ')
    .replace(/([([]) | (?=[,.;:!?)\]])/g, '$1')
    .replace(/ ?(?:\(\)|\[\])/g, '')
    .replace(/,(?=[,.;:!?])|^[\s,;:.!?]+|[\s,;:]+$/g, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : '';
}
