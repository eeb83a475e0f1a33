// Asking the text-and-vector index: what a query's words and meaning find among the documents of a project. It answers with
// the numbers of documents; which node each is, and whether it may be seen, is the graph's to say.
import { LoreError } from '../core/error.ts';
import { createHeld, type Held } from '../store/held.ts';
import { join, list, type Sql, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { analyzeQuery } from './analyze.ts';
import { vectorLength } from './embed.ts';
import { type FreshDocument, FreshReader } from './fresh.ts';
import { dot, type Matrix, scoreAll } from './matrix.ts';
import { frequencyOf } from './posting.ts';
import { addTermScores, Best, inverseFrequency, scoreTerm } from './score.ts';
import { type Segment, type SegmentDocuments, SegmentGone, SegmentReader } from './segment.ts';
import { graceMs } from './tables.ts';

export interface Scope {
  projects: readonly string[];
  /** All kinds where none is named. */
  kinds?: readonly string[] | undefined;
}

export interface Question {
  scope: Scope;
  /** So many of each sort. */
  limit: number;
  words?: string;
  /** A vector finds those of the same model. */
  meaning?: { vector: Int8Array; model: string } | undefined;
}

export interface Hit {
  /** Of the document; one that is no longer in the table is a copy out of date. */
  number: number;
  score: number;
}

export interface WordHit extends Hit {
  /** How often each of the question's terms stands in it. */
  frequencies: readonly number[];
}

/** What words found (BM25) and what meaning found (dot products), each best first. */
export interface Answer {
  words: WordHit[];
  meaning: Hit[];
  /** How alike any document of the scope is to the question, as a dot product. */
  background: number;
  /** How much each of the question's terms tells: the rarer, the more. */
  weights: readonly number[];
}

/** Terms with a weight of their own each, in one or several sets that are scored beside each other. */
export interface Weighing {
  scope: Scope;
  sets: readonly ReadonlyMap<string, number>[];
  /** So many of each set. */
  limit: number;
}

export interface Weighed {
  number: number;
  /** By each of the sets. */
  scores: number[];
  /** Terms in it. */
  length: number;
}

/** All that a search looks at. */
interface Shelf {
  fresh: readonly FreshDocument[];
  segments: readonly Segment[];
}

/** Of a long question, so many terms are looked for: the rarest. */
const maxTerms = 16;
const maxRounds = 20;
/** `usual`: that of the bundled table in English, as a dot product. It counts as much as `doubt` documents. */
const background = { sampled: 64, doubt: 5, usual: 0.1 * vectorLength ** 2 };

export class SearchIndex {
  readonly #store: Store;
  readonly #fresh: FreshReader;
  readonly #segments: SegmentReader;
  readonly #held: Held;

  constructor(store: Store) {
    this.#store = store;
    this.#fresh = new FreshReader(store);
    this.#segments = new SegmentReader(store);
    this.#held = createHeld(store);
  }

  async find(question: Question): Promise<Answer> {
    return this.#again(() => this.#find(question));
  }

  /** Scores documents for texts of any length, all of whose terms count; in no order. */
  async weigh(weighing: Weighing): Promise<Weighed[]> {
    return this.#again(() => this.#weigh(weighing));
  }

  /** Gathering goes on meanwhile: what has been removed before it could be read makes all be read once more. */
  async #again<T>(look: () => Promise<T>): Promise<T> {
    for (let round = 1; round <= maxRounds; round++) {
      const begun = performance.now();
      try {
        const answer = await look();
        // After so long, postings may have been missed that were removed before they were read.
        if (performance.now() - begun < graceMs / 2) return answer;
      } catch (error) {
        if (!(error instanceof SegmentGone)) throw error;
      }
    }
    throw new LoreError('unavailable', 'Cannot search: the index is being rebuilt');
  }

  #open(scope: Scope): Promise<Shelf> {
    return this.#held.get(JSON.stringify(scope), () => this.#read(scope));
  }

  /** In this order: a document gathered in between is seen twice rather than not at all. */
  async #read(scope: Scope): Promise<Shelf> {
    const fresh = await this.#fresh.read(inScope(scope));
    const segments = await this.#store.all<Segment>(
      sql`select id, project, kind, model, documents, total_length from segment
          where dead_at is null and ${inScope(scope)} order by id`,
    );
    return { fresh, segments };
  }

  async #weigh({ scope, sets, limit }: Weighing): Promise<Weighed[]> {
    const { fresh, segments } = await this.#open(scope);
    const terms = [...new Set(sets.flatMap((set) => [...set.keys()]))];
    if (terms.length === 0) return [];
    const postings = await this.#segments.postings(segments, terms);
    const documentsOf = await Promise.all(segments.map((segment) => this.#segments.documents(segment)));
    const { documents, average } = measureShelf({ fresh, segments });
    const rarity = new Map(
      terms.map((term) => {
        const inSegments = postings.reduce((sum, own) => sum + (own.get(term)?.documents.length ?? 0), 0);
        return [term, inverseFrequency(documents, inSegments + countFresh(fresh, term))];
      }),
    );
    const bases = placeSegments(segments);
    const scoresOf = sets.map((set) => {
      const own = [...set].map(([term, weight]): [string, number] => [term, weight * (rarity.get(term) as number)]);
      const scores = segments.map((segment, at): Float32Array => {
        const sums = new Float32Array(segment.documents);
        const { lengths } = documentsOf[at] as SegmentDocuments;
        for (const [term, weight] of own) {
          const posting = postings[at]?.get(term);
          if (posting) addTermScores(sums, posting, lengths, average, weight);
        }
        return sums;
      });
      scores.push(
        scoreFresh(
          fresh,
          own.map(([term]) => term),
          own.map(([, weight]) => weight),
          average,
        ),
      );
      return scores;
    });
    const places = new Set<number>();
    for (const scores of scoresOf) {
      const best = new Best(limit);
      for (const [at, own] of scores.entries()) best.offer(own, bases[at] as number);
      for (const { place } of best.take()) places.add(place);
    }
    const found = [...places].map((place): Weighed => {
      const at = findSegment(bases, place);
      const index = place - (bases[at] as number);
      const own = documentsOf[at];
      return {
        number: own ? (own.numbers[index] as number) : (fresh[index] as FreshDocument).number,
        scores: scoresOf.map((scores) => scores[at]?.[index] as number),
        length: own ? (own.lengths[index] as number) : (fresh[index] as FreshDocument).length,
      };
    });
    return keepFirst(found);
  }

  async #find({ scope, limit, words = '', meaning }: Question): Promise<Answer> {
    const shelf = await this.#open(scope);
    const terms = await this.#chooseTerms(analyzeQuery(words), shelf);
    const found = await this.#findWords(terms, shelf, limit);
    return { ...found, ...(meaning ? await this.#findMeaning(meaning, shelf, limit) : { meaning: [], background: 0 }) };
  }

  /** All of a few; of many, those that tell most. */
  async #chooseTerms(terms: readonly string[], { fresh, segments }: Shelf): Promise<string[]> {
    if (terms.length <= maxTerms) return [...terms];
    const counts = await this.#segments.count(segments, terms);
    const rarity = (term: string) => (counts.get(term) ?? 0) + countFresh(fresh, term);
    return terms
      .map((term): [string, number] => [term, rarity(term)])
      .filter(([, count]) => count > 0)
      .sort((a, b) => a[1] - b[1])
      .slice(0, maxTerms)
      .map(([term]) => term);
  }

  async #findWords(terms: readonly string[], shelf: Shelf, limit: number): Promise<Pick<Answer, 'words' | 'weights'>> {
    if (terms.length === 0) return { words: [], weights: [] };
    const { fresh, segments } = shelf;
    const postings = await this.#segments.postings(segments, terms);
    const { documents, average } = measureShelf(shelf);
    const weights = terms.map((term) => {
      const inSegments = postings.reduce((sum, own) => sum + (own.get(term)?.documents.length ?? 0), 0);
      return inverseFrequency(documents, inSegments + countFresh(fresh, term));
    });
    const best = new Best(limit);
    const bases = placeSegments(segments);
    const documentsOf = await Promise.all(segments.map((segment) => this.#segments.documents(segment)));
    for (const [at, segment] of segments.entries()) {
      if (postings[at]?.size === 0) continue;
      const scores = new Float32Array(segment.documents);
      const { lengths } = documentsOf[at] as SegmentDocuments;
      for (const [term, weight] of weights.entries()) {
        const posting = postings[at]?.get(terms[term] as string);
        if (posting) addTermScores(scores, posting, lengths, average, weight);
      }
      best.offer(scores, bases[at] as number);
    }
    best.offer(scoreFresh(fresh, terms, weights, average), bases.at(-1) as number);
    const words: WordHit[] = [];
    for (const { place, score } of best.take()) {
      const at = findSegment(bases, place);
      const index = place - (bases[at] as number);
      const own = documentsOf[at];
      if (own) {
        const frequencies = terms.map((term) => frequencyOf(postings[at]?.get(term), index));
        words.push({ number: own.numbers[index] as number, score, frequencies });
      } else {
        const { number, frequencies } = fresh[index] as FreshDocument;
        words.push({ number, score, frequencies: terms.map((term) => frequencies.get(term) ?? 0) });
      }
    }
    return { words: keepFirst(words), weights };
  }

  async #findMeaning(
    { vector, model }: { vector: Int8Array; model: string },
    { fresh, segments }: Shelf,
    limit: number,
  ): Promise<Pick<Answer, 'meaning' | 'background'>> {
    const own = segments.filter((segment) => segment.model === model);
    const matrices = await Promise.all(own.map((segment) => this.#segments.vectors(segment)));
    const numbers = (await Promise.all(own.map((segment) => this.#segments.documents(segment)))).map(
      (all) => all.numbers,
    );
    const bases = placeSegments(own);
    const best = new Best(limit);
    for (const [at, scores] of scoreAll(matrices, vector).entries()) best.offer(scores, bases[at] as number);
    const hits: Hit[] = best.take().map(({ place, score }) => {
      const at = findSegment(bases, place);
      return { number: numbers[at]?.[place - (bases[at] as number)] as number, score };
    });
    const loose = fresh.flatMap(({ number, model: its, vector: own }) =>
      its === model && own ? [{ number, score: dot(vector, own) }] : [],
    );
    const near = [...hits, ...loose]
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.number - b.number);
    const background = measureBackground(matrices, vector, loose);
    return { meaning: keepFirst(near).slice(0, limit), background };
  }
}

/**
 * The average of a sample. Embedders differ in how alike they take strangers to be, and languages that the bundled table
 * hardly knows look alike to it. Of a few documents any may be what is asked for, so that they say less.
 */
function measureBackground(matrices: readonly Matrix[], vector: Int8Array, loose: readonly Hit[]): number {
  const total = matrices.reduce((sum, { height }) => sum + height, loose.length);
  const step = Math.max(1, Math.floor(total / background.sampled));
  let [sum, count] = [0, 0];
  for (const matrix of matrices) {
    for (let at = 0; at < matrix.height; at += step, count++) sum += dot(matrix.row(at), vector);
  }
  for (let at = 0; at < loose.length; at += step, count++) sum += (loose[at] as Hit).score;
  return Math.max(0, (sum + background.doubt * background.usual) / (count + background.doubt));
}

function measureShelf({ fresh, segments }: Shelf): { documents: number; average: number } {
  const documents = segments.reduce((sum, segment) => sum + segment.documents, fresh.length);
  const total =
    segments.reduce((sum, segment) => sum + segment.total_length, 0) +
    fresh.reduce((sum, { length }) => sum + length, 0);
  return { documents, average: Math.max(1, total / Math.max(1, documents)) };
}

/** Where each segment begins if all were laid end to end, and where the last one ends. */
function placeSegments(segments: readonly Segment[]): number[] {
  const bases = [0];
  for (const { documents } of segments) bases.push((bases.at(-1) as number) + documents);
  return bases;
}

function findSegment(bases: readonly number[], place: number): number {
  let at = 0;
  while (at + 1 < bases.length && (bases[at + 1] as number) <= place) at++;
  return at;
}

function countFresh(fresh: readonly FreshDocument[], term: string): number {
  let count = 0;
  for (const { frequencies } of fresh) if (frequencies.has(term)) count++;
  return count;
}

/** Rounded as in a segment, so that equals stay equal. */
function scoreFresh(
  fresh: readonly FreshDocument[],
  terms: readonly string[],
  weights: readonly number[],
  average: number,
): Float32Array {
  const scores = new Float32Array(fresh.length);
  for (const [at, { frequencies, length }] of fresh.entries()) {
    for (const [term, weight] of weights.entries()) {
      const frequency = frequencies.get(terms[term] as string);
      if (frequency !== undefined) {
        scores[at] = (scores[at] as number) + scoreTerm(frequency, length, average, weight);
      }
    }
  }
  return scores;
}

/** A document seen twice is one. */
function keepFirst<H extends { number: number }>(hits: readonly H[]): H[] {
  const seen = new Set<number>();
  return hits.filter(({ number }) => !seen.has(number) && seen.add(number));
}

function inScope({ projects, kinds }: Scope): Sql {
  const conditions = [sql`project in ${list(projects)}`, ...(kinds ? [sql`kind in ${list(kinds)}`] : [])];
  return join(conditions, ' and ');
}
