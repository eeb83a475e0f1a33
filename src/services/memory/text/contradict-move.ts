// Whether a statement tells of a change that ends what an older one says: "we moved from A to B", "replaced A with B",
// "the limit was raised to 5", "no longer use A". The older must hold A as its value; to mention it is not enough.
import { rootOf, type Statement, type Word, wordsOf } from './contradict-statement.ts';
import { typeOf } from './contradict-value.ts';
import { slotNouns } from './contradict-words.ts';

export interface Move {
  topic: Word[];
  from: Word[];
  to: Word[];
  verb: string;
}

const changing =
  'moved|migrated|switched|changed|transitioned|converted|ported|upgraded|downgraded|updated|bumped|renamed|raised|lowered|increased|reduced|decreased|extended|shortened|cut|set|went|rewrote|rewritten|relocated|shifted';
const stop = String.raw`(?=[.;,!]| (?:because|since|as|so|and|but|when|for|last|in|on|after|during|over the)\b|$)`;
const value = String.raw`([\w.+#/%:@-]+(?: [\w.+#/%:@-]+){0,3}?)`;
const topic = String.raw`((?:[\w.+#/'-]+ ){0,5}?)`;
const subject = String.raw`^((?:[\w.'/-]+ ){1,5}?)`;
const have = '(?:has |have |had |was |were |is |are |got |be |been |all |just |recently |finally |fully |already )*';

const shapes: [RegExp, (found: string[]) => Partial<Record<'topic' | 'from' | 'to' | 'who', string | undefined>>][] = [
  [
    new RegExp(
      `${subject}${have}(${changing}) ${topic}(?:away |over )?from ${value} (?:over )?to ${value}${stop}`,
      'i',
    ),
    ([who, , what, from, to]) => ({ who, topic: what, from, to }),
  ],
  [
    new RegExp(
      String.raw`${subject}${have}(replaced|swapped|exchanged) ${value} (?:with|by|for) ${value}${stop}(?: for ([\w-]+(?: [\w-]+){0,3}))?`,
      'i',
    ),
    ([who, , from, to, what]) => ({ who, from, to, topic: what }),
  ],
  [
    new RegExp(`^${value} (replaced|supersedes|superseded|replaces) ${value}${stop}`, 'i'),
    ([to, , from]) => ({ from, to }),
  ],
  [
    new RegExp(`${subject}${have}(${changing}) ${topic}(?:over )?(?:to|in|into) ${value}${stop}`, 'i'),
    ([who, , what, to]) => ({ who, topic: what, to }),
  ],
  [
    new RegExp(
      String.raw`${subject}${have}((?:no longer|not) (?:use|support|run|need|deploy|have|rely|work)\w*|stopped using|stopped supporting|dropped support for|dropped|removed|abandoned|retired|got rid of|phased out|ditched|decommissioned|sunset)(?: on| to| with| at| for)? ${value}${stop}`,
      'i',
    ),
    ([who, , from]) => ({ who, from }),
  ],
];

/** Verbs of older statements whose object is a value that a change ends. */
const holding = new Set(
  'use run live deploy store keep host write build ship choose pick adopt support base work carry handle power back serve manage do be pin set select call name'
    .split(' ')
    .map(rootOf),
);
const persons = new Set(['we', 'i', 'they', 'you', 'he', 'she', 'team', 'everyone', 'everything', 'it']);

/** The changes a sentence tells of. */
export function readMoves(sentence: string): Move[] {
  return sentence
    .split(/[;,]\s|\s(?:and|but)\s/)
    .slice(0, 4)
    .map((clause) => readMove(clause.trim()))
    .filter((move) => move !== undefined);
}

/** Why one of the changes ends what the older statement says, or nothing. */
export function replacesByMove(older: Statement, moves: readonly Move[]): string | undefined {
  for (const move of moves) {
    const reason = judgeMove(older, move);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function readMove(text: string): Move | undefined {
  for (const [shape, pick] of shapes) {
    const found = shape.exec(text.slice(0, 300));
    if (found === null) continue;
    const parts = pick(found.slice(1).map((part) => part ?? ''));
    const who = wordsOf(parts.who ?? '').filter(({ low }) => !helping.has(low));
    const what = wordsOf(parts.topic ?? '').filter(({ low }) => !persons.has(low));
    const people = who.every(({ low }) => persons.has(low));
    return {
      topic: what.length > 0 ? what : people ? [] : who,
      from: wordsOf(parts.from ?? ''),
      to: wordsOf(parts.to ?? ''),
      verb: (found[2] ?? '').toLowerCase(),
      ...(people && what.length === 0 && who[0]?.low === 'i' ? { topic: who } : {}),
    };
  }
  return undefined;
}

const helping = new Set(
  'has have had was were is are got be been all just recently finally fully already now'.split(' '),
);

function judgeMove(older: Statement, move: Move): string | undefined {
  const { from, to } = move;
  const held = readHeld(older);
  if (held === undefined) return undefined;
  if (to.length > 0 && contains(held.value, to)) return undefined;
  if (from.length > 0) {
    if (!contains(held.value, from)) return undefined;
    const topics = move.topic.filter(({ root }) => root !== 'i' && root !== 'support');
    const rest = held.rest.filter(({ low }) => !persons.has(low));
    // A change of one thing says nothing about another that has the same value.
    if (topics.length > 0 && rest.length > 0 && !topics.some(({ root }) => rest.some((word) => word.root === root))) {
      return undefined;
    }
    return to.length > 0
      ? `tells of the change from "${spell(from)}" to "${spell(to)}"`
      : `tells of the end of "${spell(from)}"`;
  }
  if (to.length === 0) return undefined;
  const type = typeOf(to);
  const same = typeOf(held.value) === type;
  if (move.topic.length === 0) {
    const slot = held.rest.some(({ low }) => slotNouns.has(low)) || held.verb === 'use' || held.verb === 'deploy';
    return same && type.startsWith('kind') && slot ? `tells of the change to "${spell(to)}"` : undefined;
  }
  if (!equals(move.topic, held.subject)) return undefined;
  if (move.verb.startsWith('rewr')) {
    return ['writ', 'build'].includes(held.verb) ? `tells of the change to "${spell(to)}"` : undefined;
  }
  const place = ['liv', 'bas'].includes(held.verb) || (held.verb === 'be' && held.place);
  const named = move.verb === 'renamed' && ['call', 'nam', 'be'].includes(held.verb);
  const number = same && type !== 'word' && type !== 'name';
  const fits = named || number || (place && /moved|relocated|shifted|switched/.test(move.verb));
  return fits ? `tells of the change to "${spell(to)}"` : undefined;
}

interface Held {
  subject: Word[];
  verb: string;
  value: Word[];
  /** All but the value. */
  rest: Word[];
  place: boolean;
}

/** What an older statement holds as its value: the object of a verb of holding, or the subject of "A is the X". */
function readHeld({ words }: Statement): Held | undefined {
  const at = words.findIndex(({ root }, i) => holding.has(root) && (i > 0 || words.length <= 4));
  if (at < 0) return undefined;
  let verb = words[at]?.root ?? '';
  let start = at + 1;
  const next = words[start];
  if (verb === 'be' && next !== undefined && holding.has(next.root)) {
    verb = next.root;
    start++;
  }
  const subject = words.slice(0, at);
  const tail = words.slice(start);
  if (verb === 'pin' || verb === 'set') {
    const to = tail.findIndex(({ low }) => low === 'to');
    if (to >= 0) {
      const value = untilPreposition(tail.slice(to + 1));
      const what = to > 0 ? tail.slice(0, to) : subject;
      return { subject: what, verb, value, rest: without(words, value), place: false };
    }
  }
  const lead = tail.findIndex(({ low }) => !leading.has(low));
  const value = untilPreposition(tail.slice(Math.max(0, lead)));
  const place = lead > 0;
  const slot =
    verb === 'be' &&
    !place &&
    value.some(({ low }) => slotNouns.has(low)) &&
    !subject.some(({ low }) => slotNouns.has(low));
  const acting = ['carry', 'handl', 'power', 'back', 'serv', 'manag', 'do'].includes(verb);
  if (slot || (acting && words[at]?.root === verb && !place)) {
    return { subject: value, verb, value: subject, rest: without(words, subject), place: false };
  }
  return { subject, verb, value, rest: without(words, value), place };
}

const leading = new Set('on in at with to from by for under via through every as out over'.split(' '));

function untilPreposition(list: Word[]): Word[] {
  const stopAt = list.findIndex(
    ({ low }, i) => i > 0 && (leading.has(low) || ['because', 'over', 'instead', 'since', 'and'].includes(low)),
  );
  return stopAt < 0 ? list : list.slice(0, stopAt);
}

function without(list: Word[], value: Word[]): Word[] {
  return list.filter((word) => !value.includes(word));
}

function contains(list: Word[], part: Word[]): boolean {
  return part.length > 0 && part.every(({ root }) => list.some((word) => word.root === root));
}

function equals(a: Word[], b: Word[]): boolean {
  return a.length === b.length && a.every(({ root }, i) => b[i]?.root === root);
}

function spell(value: Word[]): string {
  return value.map(({ low }) => low).join(' ');
}
