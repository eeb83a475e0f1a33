// The text-and-vector index: what a query's words and meaning find among the documents of a project. It answers with ids
// and scores; whether a document may be seen is the graph's to say.
import { LoreError } from '../core/error.ts';
import { join, list, nothing, type Sql, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { analyzeQuery } from './analyze.ts';
import { type Document, toBytes, writeTerms } from './document.ts';
import { type FreshRow, readFresh } from './gather.ts';
import { dotRows } from './matrix.ts';
import { addTermScores, inverseFrequency, scoreTerm, selectBest } from './score.ts';
import { type Segment, SegmentReader } from './segment.ts';
import { freshPlace } from './tables.ts';

export interface Scope {
  projects: readonly string[];
  /** All kinds where none is named. */
  kinds?: readonly string[] | undefined;
}

export interface Hit {
  id: string;
  score: number;
}

/** All that a search looks at. */
interface Shelf {
  fresh: readonly Document[];
  segments: readonly Segment[];
}

const maxRounds = 20;

interface Candidate extends Hit {
  place: string;
}

export class SearchIndex {
  readonly #store: Store;
  readonly #reader: SegmentReader;

  constructor(store: Store) {
    this.#store = store;
    this.#reader = new SegmentReader(store);
  }

  /** Puts documents in, in place of what the index had of them. */
  async put(tx: Transaction, documents: readonly Document[]): Promise<void> {
    for (const { id, project, kind, length, frequencies, model, vector } of documents) {
      await tx.run(
        sql`insert into fresh (node_id, project, kind, length, terms, model, vector)
            values (${id}, ${project}, ${kind}, ${length}, ${writeTerms(frequencies)}, ${model},
                    ${vector ? toBytes(vector) : null})
            on conflict (node_id) do update set project = excluded.project, kind = excluded.kind,
              length = excluded.length, terms = excluded.terms, model = excluded.model, vector = excluded.vector`,
      );
      await tx.run(
        sql`insert into indexed (node_id, place) values (${id}, ${freshPlace})
            on conflict (node_id) do update set place = excluded.place`,
      );
    }
  }

  async remove(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.run(sql`delete from fresh where node_id in ${list(ids)}`);
    await tx.run(sql`delete from indexed where node_id in ${list(ids)}`);
  }

  /** By words: BM25 over all documents in scope. */
  async findByText(query: string, scope: Scope, limit: number): Promise<Hit[]> {
    const terms = analyzeQuery(query);
    return terms.length === 0 ? [] : this.#find(scope, limit, (shelf) => this.#scoreText(terms, shelf, limit));
  }

  /** By meaning: the nearest vectors of the same model. */
  async findByVector(vector: Int8Array, model: string, scope: Scope, limit: number): Promise<Hit[]> {
    return this.#find(scope, limit, (shelf) => this.#scoreVectors(vector, model, shelf, limit));
  }

  /**
   * Reads what is in scope and lets it be scored. Gathering may move documents meanwhile: a hit that has gone to a
   * segment we have not seen says so, and then all is read once more.
   */
  async #find(scope: Scope, limit: number, score: (shelf: Shelf) => Promise<Candidate[]>): Promise<Hit[]> {
    for (let round = 1; ; round++) {
      // In this order: a document gathered in between is seen twice rather than not at all.
      const fresh = await this.#fresh(scope);
      const segments = await this.#segments(scope);
      const hits = await this.#current(await score({ fresh, segments }), segments, limit);
      if (hits) return hits;
      if (round === maxRounds) throw new LoreError('unavailable', 'Cannot search: the index is being rebuilt');
    }
  }

  async #scoreText(terms: readonly string[], { fresh, segments }: Shelf, limit: number): Promise<Candidate[]> {
    const postings = await Promise.all(segments.map((segment) => this.#reader.postings(segment, terms)));
    const documents = segments.reduce((sum, segment) => sum + segment.documents, fresh.length);
    const total =
      segments.reduce((sum, segment) => sum + segment.total_length, 0) +
      fresh.reduce((sum, { length }) => sum + length, 0);
    const average = Math.max(1, total / Math.max(1, documents));
    const weights = new Map(
      terms.map((term) => {
        const inSegments = postings.reduce((sum, found) => sum + (found.get(term)?.documents.length ?? 0), 0);
        const inFresh = fresh.reduce((sum, { frequencies }) => sum + (frequencies.has(term) ? 1 : 0), 0);
        return [term, inverseFrequency(documents, inSegments + inFresh)];
      }),
    );
    const found: Candidate[] = [];
    for (const [at, segment] of segments.entries()) {
      const scores = new Float32Array(segment.documents);
      const lengths = await this.#reader.lengths(segment);
      for (const [term, weight] of weights) {
        const posting = postings[at]?.get(term);
        if (posting) addTermScores(scores, posting, lengths, average, weight);
      }
      found.push(...(await this.#name(segment, scores, limit)));
    }
    for (const { id, length, frequencies } of fresh) {
      let score = 0;
      for (const [term, weight] of weights) {
        const frequency = frequencies.get(term);
        // Rounded as in a segment, so that equals stay equal.
        if (frequency !== undefined) score = Math.fround(score + scoreTerm(frequency, length, average, weight));
      }
      if (score > 0) found.push({ id, score, place: freshPlace });
    }
    return found;
  }

  async #scoreVectors(vector: Int8Array, model: string, shelf: Shelf, limit: number): Promise<Candidate[]> {
    const found: Candidate[] = [];
    for (const segment of shelf.segments.filter((candidate) => candidate.model === model)) {
      const matrix = await this.#reader.vectors(segment);
      if (!matrix) continue;
      found.push(...(await this.#name(segment, matrix.dot(vector), limit)));
    }
    for (const document of shelf.fresh) {
      if (document.model !== model || !document.vector) continue;
      const [score = 0] = dotRows(document.vector, vector, 1);
      found.push({ id: document.id, score, place: freshPlace });
    }
    return found;
  }

  async #segments(scope: Scope): Promise<Segment[]> {
    return this.#store.all<Segment>(sql`select * from segment where ${inScope(scope)} order by id`);
  }

  async #fresh(scope: Scope): Promise<Document[]> {
    const rows = await this.#store.all<FreshRow>(sql`select * from fresh where ${inScope(scope)}`);
    return rows.map(readFresh);
  }

  async #name(segment: Segment, scores: Float32Array, limit: number): Promise<Candidate[]> {
    const best = selectBest(scores, limit);
    const ids = await this.#reader.ids(
      segment,
      best.map(({ index }) => index),
    );
    return best.map(({ index, score }) => ({ id: ids.get(index) as string, score, place: segment.id }));
  }

  /** The best of all places, without copies that are out of date; nothing where a document has gone out of sight. */
  async #current(found: Candidate[], segments: readonly Segment[], limit: number): Promise<Hit[] | undefined> {
    const best = found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit * 2);
    if (best.length === 0) return [];
    const rows = await this.#store.all<{ node_id: string; place: string }>(
      sql`select node_id, place from indexed where node_id in ${list(best.map(({ id }) => id))}`,
    );
    const known = new Set([freshPlace, ...segments.map(({ id }) => id)]);
    if (rows.some(({ place }) => !known.has(place))) return undefined;
    const places = new Map(rows.map(({ node_id, place }) => [node_id, place]));
    return best
      .filter(({ id, place }) => places.get(id) === place)
      .slice(0, limit)
      .map(({ id, score }) => ({ id, score }));
  }
}

function inScope({ projects, kinds }: Scope): Sql {
  const conditions = [sql`project in ${list(projects)}`, ...(kinds ? [sql`kind in ${list(kinds)}`] : [])];
  return conditions.length === 0 ? nothing : join(conditions, ' and ');
}
