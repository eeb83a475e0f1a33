// Whether two statements are the same but for one value, in a place that holds only one value at a time. Where the frame
// does not say so (a service may use many things), the values must be of one known kind.
import { rootOf, type Statement, type Word } from './contradict-statement.ts';
import { duties, kindOf, opposites, placePhrases, slotNouns } from './contradict-words.ts';
import { verbForms } from './extract-words.ts';

interface Difference {
  before: Word[];
  older: Word[];
  newer: Word[];
  after: Word[];
}

const exclusive: ReadonlySet<string> = new Set(placePhrases.map((phrase) => phrase.split(' ').map(rootOf).join(' ')));
const dutyRoots: ReadonlySet<string> = new Set(duties.map(rootOf));
const prepositions = new Set(
  words(
    'in on at for with by from to via through during under over into as of because when if and or unless until but per',
  ),
);
const numberWords = new Set(
  words('one two three four five six seven eight nine ten twelve twenty thirty fifty hundred'),
);
const weekdays = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/;
const months = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;
const units: Record<string, string> = Object.fromEntries(
  Object.entries({
    time: 'ms millisecond second sec s minute min m hour hr h day week month year am pm utc',
    size: 'b byte kb mb gb tb kib mib gib',
    share: '% percent',
  }).flatMap(([dimension, list]) => words(list).map((unit) => [rootOf(unit), dimension])),
);

function words(text: string): string[] {
  return text.split(' ');
}

/** The one stretch in which two statements differ, or nothing when there is none or they have little in common. */
function findDifference(older: Statement, newer: Statement): Difference | undefined {
  const a = older.words;
  const b = newer.words;
  let head = 0;
  while (head < a.length && head < b.length && a[head]?.root === b[head]?.root) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail)?.root === b.at(-1 - tail)?.root) tail++;
  const difference = {
    before: a.slice(0, head),
    older: a.slice(head, a.length - tail),
    newer: b.slice(head, b.length - tail),
    after: a.slice(a.length - tail),
  };
  const { older: from, newer: to } = difference;
  if (from.length === 0 || to.length === 0 || from.length > 4 || to.length > 4 || head + tail < 1) return undefined;
  // A word in common between the differences: then there are two, and another thing is spoken of.
  if (from.some(({ root }) => to.some((word) => word.root === root))) return undefined;
  return difference;
}

/** Why the newer value takes the older one's place, or nothing. */
export function replacesValue(older: Statement, newer: Statement): string | undefined {
  if (newer.adds || older.negated !== newer.negated) return undefined;
  const found = findDifference(older, newer);
  if (found === undefined) return replacesSwapped(older, newer);
  const { older: from, newer: to, before, after } = found;
  const denied = newer.against.some((value) => isSame(value, from));
  if (!denied && !canCompare(from, to)) return replacesSwapped(older, newer);
  if (denied || isExclusive(found)) return say(from, to);
  return before.length === 0 && after.length === 0 ? undefined : replacesSwapped(older, newer);
}

function isExclusive({ before, older: from, newer: to, after }: Difference): boolean {
  const type = typeOf(from);
  const same = type === typeOf(to);
  if (areAllOpposite(from, to)) return before.length + after.length >= 2;
  // In front of the verb stands what is spoken of, not what is said of it; but for duties and "X is the Y".
  if (findVerb(before) < 0) return replacesSubject(before, from, to, after);
  if (type !== 'word' && type !== 'name' && same && !type.startsWith('kind')) return isNumberPlace(before, after);
  const lead = before.map(({ root }) => root);
  for (let size = 1; size <= 3; size++) {
    if (!exclusive.has(lead.slice(-size).join(' '))) continue;
    const loose = ['with', 'by'].includes(lead.at(-1) ?? '');
    return loose ? same : compatible(type, typeOf(to));
  }
  if (lead.at(-1) === 'be') return isSlot(before) && isNominal(from) && isNominal(to) && compatible(type, typeOf(to));
  if (['use', 'prefer', 'choos', 'pick', 'tak'].includes(lead.at(-1) ?? '')) {
    return (same && type.startsWith('kind')) || (same && after.length >= 2 && after[0]?.root === 'for');
  }
  return false;
}

/** "Tom owns the payments module", "CockroachDB is the primary database". */
function replacesSubject(before: Word[], from: Word[], to: Word[], after: Word[]): boolean {
  if (before.length > 0 || after.length < 2) return false;
  const verb = after[0]?.root ?? '';
  const named = (value: Word[]) => value.every(({ low }) => !verbForms.has(low) && !prepositions.has(low));
  if (!named(from) || !named(to)) return false;
  if (dutyRoots.has(verb)) return from.length <= 2 && to.length <= 2;
  if (verb !== 'be') return false;
  const slot = after.slice(1);
  const stop = slot.findIndex(({ low }) => prepositions.has(low));
  const head = slot[(stop < 0 ? slot.length : stop) - 1];
  return head !== undefined && slotNouns.has(head.low) && compatible(typeOf(from), typeOf(to));
}

/** "PostgreSQL is the primary database" against "The primary database is CockroachDB". */
function replacesSwapped(older: Statement, newer: Statement): string | undefined {
  const a = splitAtBe(older.words);
  const b = splitAtBe(newer.words);
  if (a === undefined || b === undefined) return undefined;
  for (const [value, slot, otherValue, otherSlot] of [
    [a[0], a[1], b[1], b[0]],
    [a[1], a[0], b[0], b[1]],
  ] as [Word[], Word[], Word[], Word[]][]) {
    const equal = slot.length === otherSlot.length && slot.every(({ root }, i) => otherSlot[i]?.root === root);
    if (!equal || !slotNouns.has(slot.at(-1)?.low ?? '') || !canCompare(value, otherValue)) continue;
    if (isNominal(value) && isNominal(otherValue) && compatible(typeOf(value), typeOf(otherValue))) {
      return say(value, otherValue);
    }
  }
  return undefined;
}

function splitAtBe(list: Word[]): [Word[], Word[]] | undefined {
  const at = list.findIndex(({ root }) => root === 'be');
  return at > 0 && at < list.length - 1 ? [list.slice(0, at), list.slice(at + 1)] : undefined;
}

/** Values of their own: no scope in one of them, neither a part of the other. */
function canCompare(from: Word[], to: Word[]): boolean {
  if (areAllOpposite(from, to)) return true;
  if ([...from, ...to].some(({ low }) => prepositions.has(low))) return false;
  const a = new Set(from.map(({ root }) => root));
  const b = new Set(to.map(({ root }) => root));
  return ![...a].every((root) => b.has(root)) && ![...b].every((root) => a.has(root));
}

/** Numbers count where they follow a verb and nothing else is told apart by them. */
function isNumberPlace(before: Word[], after: Word[]): boolean {
  const at = findVerb(before);
  // "we deployed v1.2": what happened once does not end when it happens again.
  const happened =
    before[at]?.low.match(/(?:ed|^ran|^sent|^met|^went|^had)$/) &&
    before[at - 1]?.root !== 'be' &&
    before[at]?.root !== 'pin';
  return at > 0 && !happened && (after.length <= 3 || findVerb(after) < 0);
}

/** Whether what stands before "be" names a thing of which there is one. */
function isSlot(before: Word[]): boolean {
  const subject = before.slice(0, -1);
  const stop = subject.findIndex(({ low }) => prepositions.has(low));
  const head = subject[(stop < 0 ? subject.length : stop) - 1];
  return head !== undefined && slotNouns.has(head.low);
}

function isNominal(value: Word[]): boolean {
  const first = value[0];
  if (first === undefined || prepositions.has(first.low)) return false;
  return !/(?:ed|ing|ly|ful|able|ible|ive|ous)$/.test(first.low) && !(verbForms.has(first.low) && !first.name);
}

/** What sort of thing a value is: a number, a version, a day, a place, a known kind, a name or any word. */
export function typeOf(value: Word[]): string {
  const [first, second] = value;
  if (first === undefined) return 'word';
  if (/^\d{1,2}:\d\d$/.test(first.low)) return 'clock';
  if (/^v?\d+(?:\.\d+)+$|^v\d+$/.test(first.low)) return 'version';
  if (/^[\d.,]+(?:%|k|m|s|ms|gb|mb|kb|min|h|d|am|pm)?$/.test(first.low) || numberWords.has(first.low)) {
    if (second === undefined) return 'number';
    return `number ${units[second.root] ?? second.root}`;
  }
  if (value.length === 1 && weekdays.test(first.low)) return 'day';
  if (value.length === 1 && months.test(first.low)) return 'month';
  if (/^\w+:\/\/|^[\w.-]*\/|\.\w{2,4}$/.test(first.low) && !kindOf.has(first.low)) return 'place';
  const kind = value.map(({ low }) => kindOf.get(low)).find((found) => found !== undefined);
  if (kind !== undefined) return `kind ${kind}`;
  return value.some(({ name }) => name) ? 'name' : 'word';
}

/** A product nobody listed is a name; a name may replace a word, a number may not. */
function compatible(a: string, b: string): boolean {
  if (a === b) return true;
  const open = (type: string) => type === 'name' || type === 'word' || type.startsWith('kind');
  if (!open(a) || !open(b)) return false;
  return !(a.startsWith('kind') && b.startsWith('kind'));
}

function areAllOpposite(from: Word[], to: Word[]): boolean {
  return from.length === to.length && from.every(({ low }, i) => opposites.get(low) === to[i]?.low);
}

/** Where the verb is; "deploys" and "tests" are verbs only behind "we", "I" and the like. */
function findVerb(list: readonly Word[]): number {
  return list.findIndex(({ root }, i) => {
    if (!verbRoots.has(root)) return false;
    return !nounRoots.has(root) || persons.has(list[i - 1]?.low ?? '');
  });
}

const persons = new Set(words('we i they you he she it'));
const nounRoots = new Set(
  words('test log build file deploy release backup image session cache report order').map(rootOf),
);
const verbRoots: ReadonlySet<string> = new Set([...verbForms].map(rootOf).filter((root) => !slotNouns.has(root)));

function isSame(value: string[], words_: Word[]): boolean {
  return value.length > 0 && value.every((root) => words_.some((word) => word.root === root));
}

function say(from: Word[], to: Word[]): string {
  return `says "${spell(to)}" where the older says "${spell(from)}"`;
}

function spell(value: Word[]): string {
  return value.map(({ low }) => low).join(' ');
}
