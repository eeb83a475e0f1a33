// The text-and-vector index: what a query's words and meaning find among the documents of a project. It answers with ids
// and scores; whether a document may be seen is the graph's to say.
import { LoreError } from '../core/error.ts';
import { join, list, type Sql, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { analyzeQuery } from './analyze.ts';
import { type Document, toBytes, toInt8, writeTerms } from './document.ts';
import { type FreshDocument, FreshReader } from './fresh.ts';
import { frequencyOf, type Posting } from './posting.ts';
import { addTermScores, inverseFrequency, scoreTerm, selectBest } from './score.ts';
import { type Segment, SegmentGone, SegmentReader } from './segment.ts';
import { graceMs } from './tables.ts';
import { coarseReach, dot } from './vector.ts';

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
  id: string;
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
  /** How much each of the question's terms tells: the rarer, the more. */
  weights: readonly number[];
}

/** All that a search looks at. */
interface Shelf {
  fresh: readonly FreshDocument[];
  segments: readonly Segment[];
}

interface Candidate {
  number: number;
  score: number;
}

interface WordCandidate extends Candidate {
  frequencies: readonly number[];
}

/** Of a long question, so many terms are looked for: the rarest. */
const maxTerms = 16;

const maxRounds = 20;

export class SearchIndex {
  readonly #store: Store;
  readonly #fresh: FreshReader;
  readonly #segments: SegmentReader;

  constructor(store: Store) {
    this.#store = store;
    this.#fresh = new FreshReader(store);
    this.#segments = new SegmentReader(store);
  }

  /** Puts documents in, in place of what the index had of them. */
  async put(tx: Transaction, documents: readonly Document[]): Promise<void> {
    for (const { id, project, kind, length, frequencies, model, vector } of documents) {
      await retire(tx, id);
      const row = await tx.one<{ number: number }>(
        sql`insert into document (node_id, project, kind, length, model, vector)
            values (${id}, ${project}, ${kind}, ${length}, ${model}, ${vector ? toBytes(vector) : null})
            returning number`,
      );
      await tx.run(
        sql`insert into fresh (number, project, kind, model, terms)
            values (${row?.number ?? 0}, ${project}, ${kind}, ${model}, ${writeTerms(frequencies)})`,
      );
    }
  }

  async remove(tx: Transaction, ids: readonly string[]): Promise<void> {
    for (const id of ids) await retire(tx, id);
  }

  /** Gathering goes on meanwhile: what has been removed before it could be read makes all be read once more. */
  async find(question: Question): Promise<Answer> {
    for (let round = 1; round <= maxRounds; round++) {
      const begun = performance.now();
      try {
        const answer = await this.#find(question);
        // After so long, postings may have been missed that were removed before they were read.
        if (performance.now() - begun < graceMs / 2) return answer;
      } catch (error) {
        if (!(error instanceof SegmentGone)) throw error;
      }
    }
    throw new LoreError('unavailable', 'Cannot search: the index is being rebuilt');
  }

  async #find({ scope, limit, words = '', meaning }: Question): Promise<Answer> {
    const terms = analyzeQuery(words);
    // In this order: a document gathered in between is seen twice rather than not at all.
    const fresh = await this.#fresh.read(inScope(scope));
    const segments = await this.#store.all<Segment>(
      sql`select id, project, kind, model, documents, total_length from segment
          where dead_at is null and ${inScope(scope)} order by id`,
    );
    const shelf = { fresh, segments };
    const weights = await this.#weigh(terms, shelf);
    return {
      words: await this.#findWords(weights, shelf, limit),
      meaning: meaning ? await this.#findMeaning(meaning, shelf, limit) : [],
      weights: [...weights.values()],
    };
  }

  /** The terms that are looked for, and how much each tells. */
  async #weigh(terms: readonly string[], { fresh, segments }: Shelf): Promise<Map<string, number>> {
    // Few terms are read anyway; of many, only those that will be looked for.
    if (terms.length <= maxTerms) await this.#segments.postings(segments, terms);
    const counts = await this.#segments.count(segments, terms);
    const documents = segments.reduce((sum, segment) => sum + segment.documents, fresh.length);
    return new Map(
      terms
        .map((term): [string, number] => {
          const inFresh = fresh.reduce((sum, { frequencies }) => sum + (frequencies.has(term) ? 1 : 0), 0);
          return [term, inverseFrequency(documents, (counts.get(term) ?? 0) + inFresh)];
        })
        .sort((a, b) => b[1] - a[1])
        .slice(0, maxTerms),
    );
  }

  async #findWords(weights: ReadonlyMap<string, number>, shelf: Shelf, limit: number): Promise<WordHit[]> {
    if (weights.size === 0) return [];
    // Copies that are out of date may crowd out others: then more is looked at.
    for (let reach = Math.ceil(limit * 1.5); ; reach *= 4) {
      const best = sortUnique(await this.#scoreWords(weights, shelf, reach)).slice(0, reach);
      const ids = await this.#name(best);
      const hits = best.flatMap(({ number, score, frequencies }) => {
        const id = ids.get(number);
        return id === undefined ? [] : [{ id, score, frequencies }];
      });
      if (hits.length >= limit || best.length < reach) return hits.slice(0, limit);
    }
  }

  async #scoreWords(
    weights: ReadonlyMap<string, number>,
    { fresh, segments }: Shelf,
    reach: number,
  ): Promise<WordCandidate[]> {
    const terms = [...weights.keys()];
    const postings = await this.#segments.postings(segments, terms);
    const documents = segments.reduce((sum, segment) => sum + segment.documents, fresh.length);
    const total =
      segments.reduce((sum, segment) => sum + segment.total_length, 0) +
      fresh.reduce((sum, { length }) => sum + length, 0);
    const average = Math.max(1, total / Math.max(1, documents));
    const found: WordCandidate[] = [];
    for (const [at, segment] of segments.entries()) {
      const own = postings[at] as ReadonlyMap<string, Posting>;
      if (own.size === 0) continue;
      const scores = new Float32Array(segment.documents);
      const { lengths, numbers } = await this.#segments.documents(segment);
      for (const [term, weight] of weights) {
        const posting = own.get(term);
        if (posting) addTermScores(scores, posting, lengths, average, weight);
      }
      for (const { index, score } of selectBest(scores, reach)) {
        const frequencies = terms.map((term) => frequencyOf(own.get(term), index));
        found.push({ number: numbers[index] as number, score, frequencies });
      }
    }
    for (const { number, length, frequencies } of fresh) {
      let score = 0;
      for (const [term, weight] of weights) {
        const frequency = frequencies.get(term);
        // Rounded as in a segment, so that equals stay equal.
        if (frequency !== undefined) score = Math.fround(score + scoreTerm(frequency, length, average, weight));
      }
      if (score > 0) found.push({ number, score, frequencies: terms.map((term) => frequencies.get(term) ?? 0) });
    }
    return found;
  }

  async #findMeaning(
    { vector, model }: { vector: Int8Array; model: string },
    { fresh, segments }: Shelf,
    limit: number,
  ): Promise<Hit[]> {
    const reach = limit * coarseReach;
    const near = fresh.flatMap(({ number, vector: own, model: made }) =>
      made === model && own ? [{ number, score: dot(vector, own) }] : [],
    );
    const found: Candidate[] = [];
    for (const segment of segments.filter((candidate) => candidate.model === model)) {
      const matrix = await this.#segments.coarse(segment);
      const { numbers } = await this.#segments.documents(segment);
      if (!matrix) continue;
      for (const { index, score } of selectBest(matrix.dot(vector.subarray(0, matrix.width)), reach)) {
        found.push({ number: numbers[index] as number, score });
      }
    }
    const best = [...sortUnique(near).slice(0, limit), ...sortUnique(found).slice(0, reach)];
    if (best.length === 0) return [];
    const rows = await this.#store.all<{ number: number; node_id: string; vector: Uint8Array | null }>(
      sql`select number, node_id, vector from document where number in ${list(best.map(({ number }) => number))}`,
    );
    return rows
      .flatMap(({ number, node_id: id, vector: bytes }) =>
        bytes ? [{ number, id, score: dot(vector, toInt8(bytes)) }] : [],
      )
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.number - b.number)
      .slice(0, limit)
      .map(({ id, score }) => ({ id, score }));
  }

  /** The ids of those that are not out of date. */
  async #name(candidates: readonly Candidate[]): Promise<Map<number, string>> {
    if (candidates.length === 0) return new Map();
    const rows = await this.#store.all<{ number: number; node_id: string }>(
      sql`select number, node_id from document where number in ${list(candidates.map(({ number }) => number))}`,
    );
    return new Map(rows.map(({ number, node_id }) => [number, node_id]));
  }
}

/** Takes out what the index has of a document; copies in segments are then out of date. */
async function retire(tx: Transaction, id: string): Promise<void> {
  const known = await tx.one<{ number: number; project: string; kind: string }>(
    sql`delete from document where node_id = ${id} returning number, project, kind`,
  );
  if (!known) return;
  const { number, project, kind } = known;
  if ((await tx.run(sql`delete from fresh where number = ${number}`)) > 0) return;
  await tx.run(
    sql`update segment set stale = stale + 1 where project = ${project} and kind = ${kind} and dead_at is null
        and first_number <= ${number} and last_number >= ${number}`,
  );
}

/** Best first, each document once; of equals, the older. */
function sortUnique<C extends Candidate>(found: readonly C[]): C[] {
  const sorted = [...found].sort((a, b) => b.score - a.score || a.number - b.number);
  const seen = new Set<number>();
  return sorted.filter(({ number }) => !seen.has(number) && seen.add(number));
}

function inScope({ projects, kinds }: Scope): Sql {
  const conditions = [sql`project in ${list(projects)}`, ...(kinds ? [sql`kind in ${list(kinds)}`] : [])];
  return join(conditions, ' and ');
}
