// Decides whether two texts say the same in other words. Only the order of whole clauses, inflection, filler words, case and
// punctuation may differ; any other difference may matter. Used for suggestions and extracted facts; explicit statements are
// merged only if their words are the same (fold.ts).
import { readStatement, type StatementTerms } from './terms.ts';

interface Comparison {
  same: boolean;
  /** Share of common terms, from 0 to 1. */
  likeness: number;
  /** Terms of only one text; empty if only the order differs. */
  differences: string[];
}

/** Longer texts are compared only in the same order. */
const longestMoved = 5_000;

export function compareTexts(a: string, b: string): Comparison {
  return createComparer(b)(a);
}

/** Reads one text once, to be compared with many others. */
export function createComparer(b: string): (a: string) => Comparison {
  const second = readStatement(b);
  return (a) => compareStatements(a, readStatement(a), b, second);
}

function compareStatements(a: string, first: StatementTerms, b: string, second: StatementTerms): Comparison {
  if (first.terms.length === 0 || second.terms.length === 0) {
    const same = a.normalize('NFKC').trim() === b.normalize('NFKC').trim();
    return { same, likeness: same ? 1 : 0, differences: [] };
  }
  const { shared, differences } = countShared(first.terms, second.terms);
  const likeness = shared / (first.terms.length + second.terms.length - shared);
  return { same: differences.length === 0 && isMoved(first, second), likeness, differences };
}

function countShared(a: readonly string[], b: readonly string[]): { shared: number; differences: string[] } {
  const counts = new Map<string, number>();
  for (const term of a) counts.set(term, (counts.get(term) ?? 0) + 1);
  let shared = 0;
  const differences: string[] = [];
  for (const term of b) {
    const left = counts.get(term) ?? 0;
    if (left > 0) shared++;
    else differences.push(term);
    counts.set(term, left - 1);
  }
  for (const [term, left] of counts) if (left > 0) differences.unshift(term);
  return { shared, differences };
}

/** Whether swapping two neighbouring parts makes them equal. */
function isMoved(a: StatementTerms, b: StatementTerms): boolean {
  const { length } = a.terms;
  let from = 0;
  while (from < length && a.terms[from] === b.terms[from]) from++;
  if (from === length) return true;
  if (length > longestMoved) return false;
  let to = length;
  while (a.terms[to - 1] === b.terms[to - 1]) to--;
  return swaps(a, b, from, to) || swaps(b, a, from, to);
}

/**
 * Finds two neighbours in `a` that are swapped in `b`, between the first and the last difference. They may begin earlier,
 * if both have the same beginning ("in tests …, in production …").
 */
function swaps(a: StatementTerms, b: StatementTerms, from: number, to: number): boolean {
  for (let begin = from; begin >= 0; begin--) {
    // Sentences keep their order: they may be steps.
    if ([...a.seams].some((seam) => seam > begin && seam < to)) return false;
    for (let cut = begin + 1; cut < to; cut++) {
      const isJoint = /^(?:and|or)$/.test(a.terms[cut] as string) && isList(a, begin);
      if (isJoint && matches(turn(a.terms, begin, cut, cut + 1, to), b, begin)) return true;
      if (isMovable(a, begin, cut) && matches(turn(a.terms, begin, cut, cut, to), b, begin)) return true;
    }
    if (begin < from && (a.parts.has(begin) || a.commas.has(begin))) return false;
  }
  return false;
}

/** List items rather than steps: after a preposition or a form of "be" or "have", or counted. */
function isList({ terms, parts, verbs }: StatementTerms, at: number): boolean {
  return verbs.has(at) || (at > 0 && parts.has(at - 1)) || /^\d/.test(terms[at] as string);
}

function isMovable({ parts, commas }: StatementTerms, begin: number, cut: number): boolean {
  const [first, second] = [parts.has(begin), parts.has(cut)];
  return (first || commas.has(begin)) && (second || commas.has(cut)) && (first || second);
}

/** The part in between stays in place. */
function turn(terms: readonly string[], begin: number, cut: number, next: number, to: number): string[] {
  return [...terms.slice(next, to), ...terms.slice(cut, next), ...terms.slice(begin, cut)];
}

function matches(terms: readonly string[], b: StatementTerms, begin: number): boolean {
  return terms.every((term, at) => term === b.terms[begin + at]);
}
