// Finds documents by their terms, in steps: the best of the segments and of the fresh documents. Pure computation on data that
// has been read.
import type { Steps } from '../core/steps.ts';
import type { FreshDocument, FreshDocuments } from './fresh.ts';
import { frequencyOf, type Posting } from './posting.ts';
import { addTermScores, Best, inverseFrequency, scoreTerm } from './score.ts';
import type { Segment, SegmentDocuments } from './segment.ts';

export interface IndexScope {
  projects: readonly string[];
  /** All kinds if none is given. */
  kinds?: readonly string[] | undefined;
}

export interface Hit {
  /** Number of the document; a number that is not in the table is a stale copy. */
  number: number;
  score: number;
}

export interface WordHit extends Hit {
  /** Frequency of each term of the query in the document. */
  frequencies: readonly number[];
}

/** One or several sets of weighted terms, scored together. */
export interface Weighing {
  scope: IndexScope;
  sets: readonly ReadonlyMap<string, number>[];
  /** Most results per set. */
  limit: number;
}

export interface Weighed {
  number: number;
  /** Results of each set. */
  scores: number[];
  /** Number of its terms. */
  length: number;
}

/** The data that a search reads. */
export interface IndexContents {
  fresh: FreshDocuments;
  segments: readonly Segment[];
}

/** Everything that scoring by terms needs. */
export interface TermScoring {
  terms: readonly string[];
  /** Weight of each term. */
  rarity: readonly number[];
  /** By segment, like the next. */
  postings: readonly ReadonlyMap<string, Posting>[];
  documentsOf: readonly SegmentDocuments[];
  average: number;
  contents: IndexContents;
}

/** Work per step: terms, hits, terms of fresh documents. */
const termsAtOnce = 1_000;
const hitsAtOnce = 2_000;
const scoredAtOnce = 16_384;

export function* weighTerms(
  terms: readonly string[],
  postings: TermScoring['postings'],
  contents: IndexContents,
): Steps<number[]> {
  const { documents } = measureContents(contents);
  const rarity: number[] = [];
  for (const term of terms) {
    const inSegments = postings.reduce((sum, own) => sum + (own.get(term)?.documents.length ?? 0), 0);
    rarity.push(inverseFrequency(documents, inSegments + countFresh(contents.fresh, term)));
    if (rarity.length % termsAtOnce === 0) yield;
  }
  return rarity;
}

/** The score of each document by these terms: segment by segment, then the fresh documents. */
function* scoreDocuments(
  { postings, documentsOf, average, contents }: TermScoring,
  weights: readonly (readonly [term: string, weight: number])[],
): Steps<Float32Array[]> {
  const scores: Float32Array[] = [];
  for (const [at, segment] of contents.segments.entries()) {
    const own = postings[at] as ReadonlyMap<string, Posting>;
    const sums = new Float32Array(own.size === 0 ? 0 : segment.documents);
    const { lengths } = documentsOf[at] as SegmentDocuments;
    for (const [term, weight] of weights) {
      const posting = own.get(term);
      if (!posting) continue;
      addTermScores(sums, posting, lengths, average, weight);
      if (posting.documents.length > hitsAtOnce) yield;
    }
    scores.push(sums);
    yield;
  }
  scores.push(yield* scoreFresh(contents.fresh, weights, average));
  return scores;
}

export function* findWords(scoring: TermScoring, limit: number): Steps<WordHit[]> {
  const { terms, rarity, postings, documentsOf, contents } = scoring;
  const best = new Best(limit);
  const bases = placeSegments(contents.segments);
  const weights = terms.map((term, at): [string, number] => [term, rarity[at] as number]);
  for (const [at, scores] of (yield* scoreDocuments(scoring, weights)).entries()) {
    best.offer(scores, bases[at] as number);
  }
  const words: WordHit[] = [];
  for (const { place, score } of yield* best.take()) {
    const at = findSegment(bases, place);
    const index = place - (bases[at] as number);
    const own = documentsOf[at];
    if (own) {
      const frequencies = terms.map((term) => frequencyOf(postings[at]?.get(term), index));
      words.push({ number: own.numbers[index] as number, score, frequencies });
    } else {
      const { number, frequencies } = contents.fresh.documents[index] as FreshDocument;
      words.push({ number, score, frequencies: terms.map((term) => frequencies.get(term) ?? 0) });
    }
    if (words.length % hitsAtOnce === 0) yield;
  }
  return keepFirst(words);
}

export function* weighDocuments(scoring: TermScoring, sets: Weighing['sets'], limit: number): Steps<Weighed[]> {
  const { documentsOf, contents } = scoring;
  const rarity = new Map(scoring.terms.map((term, at) => [term, scoring.rarity[at] as number]));
  const bases = placeSegments(contents.segments);
  const scoresOf: Float32Array[][] = [];
  const places = new Set<number>();
  for (const set of sets) {
    const weights = [...set].map(([term, weight]): [string, number] => [term, weight * (rarity.get(term) as number)]);
    const scores = yield* scoreDocuments(scoring, weights);
    const best = new Best(limit);
    for (const [at, own] of scores.entries()) best.offer(own, bases[at] as number);
    for (const { place } of yield* best.take()) places.add(place);
    scoresOf.push(scores);
  }
  const found = [...places].map((place): Weighed => {
    const at = findSegment(bases, place);
    const index = place - (bases[at] as number);
    const own = documentsOf[at];
    return {
      number: own ? (own.numbers[index] as number) : (contents.fresh.documents[index] as FreshDocument).number,
      scores: scoresOf.map((scores) => scores[at]?.[index] as number),
      length: own ? (own.lengths[index] as number) : (contents.fresh.documents[index] as FreshDocument).length,
    };
  });
  return keepFirst(found);
}

export function measureContents({ fresh, segments }: IndexContents): { documents: number; average: number } {
  const documents = segments.reduce((sum, segment) => sum + segment.documents, fresh.documents.length);
  const total =
    segments.reduce((sum, segment) => sum + segment.total_length, 0) +
    fresh.documents.reduce((sum, { length }) => sum + length, 0);
  return { documents, average: Math.max(1, total / Math.max(1, documents)) };
}

/** The offset of each segment if all were concatenated, and the total length. */
export function placeSegments(segments: readonly Segment[]): number[] {
  const bases = [0];
  for (const { documents } of segments) bases.push((bases.at(-1) as number) + documents);
  return bases;
}

export function findSegment(bases: readonly number[], place: number): number {
  let at = 0;
  while (at + 1 < bases.length && (bases[at + 1] as number) <= place) at++;
  return at;
}

export function countFresh({ withTerm }: FreshDocuments, term: string): number {
  return withTerm.get(term)?.length ?? 0;
}

/** Rounded as in a segment, so that equal documents have equal scores. */
function* scoreFresh(
  { documents, withTerm }: FreshDocuments,
  weights: readonly (readonly [term: string, weight: number])[],
  average: number,
): Steps<Float32Array> {
  const scores = new Float32Array(documents.length);
  let scored = 0;
  for (const [term, weight] of weights) {
    for (const at of withTerm.get(term) ?? []) {
      const { frequencies, length } = documents[at] as FreshDocument;
      scores[at] = (scores[at] as number) + scoreTerm(frequencies.get(term) as number, length, average, weight);
      scored++;
    }
    if (scored < scoredAtOnce) continue;
    scored = 0;
    yield;
  }
  return scores;
}

/** Merges duplicates. */
export function keepFirst<H extends { number: number }>(hits: readonly H[]): H[] {
  const seen = new Set<number>();
  return hits.filter(({ number }) => !seen.has(number) && seen.add(number));
}
