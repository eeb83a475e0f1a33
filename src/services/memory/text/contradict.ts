// Whether a newer statement takes an older one's place: the same slot with another value, a change told, or a denial.
// Precision first: an older memory of several sentences is never replaced by one that touches a single one of them.
import { type Move, readMoves, replacesByMove } from './contradict-move.ts';
import { replacesByPolarity } from './contradict-polarity.ts';
import { readStatement, type Statement, wordsOf } from './contradict-statement.ts';
import { replacesValue } from './contradict-value.ts';
import { movedWhen } from './contradict-when.ts';
import { splitSentences } from './sentence.ts';

interface Contradiction {
  /** In words a person can read: `says "9443" where the older says "8443"`. */
  reason: string;
  confidence: number;
}

/** A statement longer than this says more than one thing. */
const longest = 400;
const mostSentences = 12;

interface ContradictionReader {
  /** Whether the statement read takes the place of the older one. */
  replaces(older: string): Contradiction | undefined;
}

interface Reading {
  statement: Statement;
  clauses: Statement[];
  moves: Move[];
  /** A change told without what was changed: it may end a statement with which it shares no word. */
  open: boolean;
}

/** Reads the newer statement once, to be held against many older ones. */
export function createContradictionReader(newer: string): ContradictionReader {
  const readings = newer.length > longest * mostSentences ? [] : readAll(newer);
  const roots = new Set(readings.flatMap(({ statement }) => statement.words.map(({ root }) => root)));
  const open = readings.some((reading) => reading.open);
  return {
    replaces(older) {
      if (readings.length === 0 || older.length > longest) return undefined;
      if (!open && !wordsOf(older).some(({ root }) => roots.has(root))) return undefined;
      const [before, second] = splitSentences(older);
      if (before === undefined || second !== undefined || before.form === 'code') return undefined;
      const held = readStatement(before.text);
      if (held.words.length === 0 || held.words.length > 40) return undefined;
      for (const reading of readings) {
        const found = compare(held, reading);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** Whether the newer statement takes the older one's place. */
export function contradicts(older: string, newer: string): Contradiction | undefined {
  return createContradictionReader(newer).replaces(older);
}

function readAll(newer: string): Reading[] {
  return splitSentences(newer)
    .slice(0, mostSentences)
    .filter(({ text, form }) => form !== 'code' && text.length <= longest && !/\?\s*$/.test(text) && !isGuess(text))
    .map(({ text }) => {
      const statement = readStatement(text);
      const moves = statement.adds ? [] : readMoves(text);
      return { statement, clauses: clausesOf(text), moves, open: moves.some(({ topic }) => topic.length === 0) };
    });
}

function compare(held: Statement, { statement, clauses, moves }: Reading): Contradiction | undefined {
  if (isSame(held, statement)) return undefined;
  const moved = replacesByMove(held, moves);
  if (moved !== undefined) return { reason: moved, confidence: 0.9 };
  const denied = replacesByPolarity(held, [statement, ...clauses]);
  if (denied !== undefined) return { reason: denied, confidence: 0.85 };
  for (const clause of [statement, ...clauses]) {
    const value = replacesValue(held, clause);
    if (value !== undefined) return { reason: value, confidence: statement.changed ? 0.9 : 0.75 };
  }
  return undefined;
}

const scope =
  /^(?:but |and )?(?:only|except|unless|if|when|while|where|once|in|on|at|for|with|within|under|during|outside)\b/i;

/** The parts of a sentence that could stand alone; none where one of them says where or when the others hold. */
function clausesOf(text: string): Statement[] {
  const parts = text.split(/[;:,]\s+|\s+(?:and|but)\s+/).filter((part) => part.trim() !== '');
  if (parts.length < 2 || parts.some((part) => scope.test(part) && movedWhen(part)?.start !== 0)) return [];
  return parts.slice(0, 6).map(readStatement);
}

function isSame(a: Statement, b: Statement): boolean {
  return a.words.length === b.words.length && a.words.every(({ root }, i) => root === b.words[i]?.root);
}

function isGuess(text: string): boolean {
  return /\b(?:maybe|perhaps|might|probably|could|would|should we|if)\b/i.test(text);
}
