// Searches the text and vector index: the documents of a project that match a query by words and by meaning. It returns
// document numbers; the graph maps them to nodes and checks visibility.
import { LoreError } from '../core/error.ts';
import { runSoon, sortInSteps } from '../core/steps.ts';
import { join, list, type Sql, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { createVersionedCache, type VersionedCache } from '../store/versioned-cache.ts';
import { vectorLength } from './embed.ts';
import { FreshReader } from './fresh.ts';
import { dot, type Matrix, scoreAll } from './matrix.ts';
import { Best } from './score.ts';
import { type Segment, SegmentGone, SegmentReader } from './segment.ts';
import { graceMs } from './tables.ts';
import {
  countFresh,
  findSegment,
  findWords,
  type Hit,
  type IndexContents,
  type IndexScope,
  keepFirst,
  measureContents,
  placeSegments,
  type TermScoring,
  type Weighed,
  type Weighing,
  type WordHit,
  weighDocuments,
  weighTerms,
} from './term-search.ts';

export type { Hit, IndexScope, Weighed, Weighing, WordHit } from './term-search.ts';

export interface IndexQuery {
  scope: IndexScope;
  /** Most results from each side. */
  limit: number;
  /** Terms of the query, from `analyzeQuery`. */
  terms?: readonly string[];
  /** The vector is compared with those of the same model. */
  meaning?: { vector: Int8Array; model: string } | undefined;
}

/** Results by words (BM25) and by meaning (dot products), best first. */
export interface IndexHits {
  words: WordHit[];
  meaning: Hit[];
  /** The average similarity of documents of the scope to the query, as a dot product. */
  background: number;
  /** Weight of each term of the query: rare terms weigh more. */
  weights: readonly number[];
}

/** Of a long query only the rarest terms are searched. */
const maxTerms = 16;
const maxRounds = 20;
/** `usual`: the value for the bundled table in English, as a dot product. It counts as much as `doubt` documents. */
const background = { sampled: 64, doubt: 5, usual: 0.1 * vectorLength ** 2 };

type ExactScore = (segment: number, row: number) => number;

interface Comparison {
  /** By segment: the score of each row that may be among the best, 0 for others. */
  scores: readonly Float32Array[];
  exactScore: ExactScore;
}

export class SearchIndex {
  readonly #store: Store;
  readonly #fresh: FreshReader;
  readonly #segments: SegmentReader;
  readonly #cache: VersionedCache;
  #hasCompared = false;

  constructor(store: Store) {
    this.#store = store;
    this.#fresh = new FreshReader(store);
    this.#segments = new SegmentReader(store);
    this.#cache = createVersionedCache(store);
  }

  async find(question: IndexQuery): Promise<IndexHits> {
    return this.#again(() => this.#find(question));
  }

  /** Scores documents for texts of any length, with all their terms; unsorted. */
  async weigh(weighing: Weighing): Promise<Weighed[]> {
    return this.#again(() => this.#weigh(weighing));
  }

  /** Compaction continues meanwhile: if a segment is removed before it is read, everything is read once more. */
  async #again<T>(look: () => Promise<T>): Promise<T> {
    for (let round = 1; round <= maxRounds; round++) {
      const begun = performance.now();
      try {
        const answer = await look();
        // After this long, removed postings may have been missed.
        if (performance.now() - begun < graceMs / 2) return answer;
      } catch (error) {
        if (!(error instanceof SegmentGone)) throw error;
      }
    }
    throw new LoreError('unavailable', 'Cannot search: the index is being rebuilt');
  }

  #open(scope: IndexScope): Promise<IndexContents> {
    return this.#cache.get(JSON.stringify(scope), () => this.#read(scope));
  }

  /** In this order, so that a document compacted in between is seen twice rather than missed. */
  async #read(scope: IndexScope): Promise<IndexContents> {
    const fresh = await this.#fresh.read(inScope(scope));
    const segments = await this.#store.all<Segment>(
      sql`select id, project, kind, model, documents, total_length from segment
          where dead_at is null and ${inScope(scope)} order by id`,
    );
    return { fresh, segments };
  }

  async #weigh({ scope, sets, limit }: Weighing): Promise<Weighed[]> {
    const contents = await this.#open(scope);
    const terms = [...new Set(sets.flatMap((set) => [...set.keys()]))];
    if (terms.length === 0) return [];
    return runSoon(weighDocuments(await this.#readTerms(terms, contents), sets, limit));
  }

  async #readTerms(terms: readonly string[], contents: IndexContents): Promise<TermScoring> {
    const postings = await this.#segments.postings(contents.segments, terms);
    const documentsOf = await Promise.all(contents.segments.map((segment) => this.#segments.documents(segment)));
    const { average } = measureContents(contents);
    return {
      terms,
      postings,
      documentsOf,
      average,
      contents,
      rarity: await runSoon(weighTerms(terms, postings, contents)),
    };
  }

  async #find({ scope, limit, terms: given = [], meaning }: IndexQuery): Promise<IndexHits> {
    const contents = await this.#open(scope);
    const terms = await this.#chooseTerms(given, contents);
    const found = await this.#findWords(terms, contents, limit);
    return {
      ...found,
      ...(meaning ? await this.#findMeaning(meaning, contents, limit) : { meaning: [], background: 0 }),
    };
  }

  /** All terms, or the most significant ones if there are many. */
  async #chooseTerms(terms: readonly string[], { fresh, segments }: IndexContents): Promise<string[]> {
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

  async #findWords(
    terms: readonly string[],
    contents: IndexContents,
    limit: number,
  ): Promise<Pick<IndexHits, 'words' | 'weights'>> {
    if (terms.length === 0) return { words: [], weights: [] };
    const scoring = await this.#readTerms(terms, contents);
    return { words: await runSoon(findWords(scoring, limit)), weights: scoring.rarity };
  }

  async #findMeaning(
    { vector, model }: { vector: Int8Array; model: string },
    { fresh, segments }: IndexContents,
    limit: number,
  ): Promise<Pick<IndexHits, 'meaning' | 'background'>> {
    const own = segments.filter((segment) => segment.model === model);
    const { scores, exactScore } = await this.#compare(vector, own);
    const numbers = (await Promise.all(own.map((segment) => this.#segments.documents(segment)))).map(
      (all) => all.numbers,
    );
    const bases = placeSegments(own);
    const best = new Best(limit);
    for (const [at, some] of scores.entries()) best.offer(some, bases[at] as number);
    const hits = (await runSoon(best.take())).map(({ place, score }): Hit => {
      const at = findSegment(bases, place);
      return { number: numbers[at]?.[place - (bases[at] as number)] as number, score };
    });
    const loose = fresh.documents.flatMap(({ number, model: its, vector: own }) =>
      its === model && own ? [{ number, score: dot(vector, own) }] : [],
    );
    const near = await runSoon(
      sortInSteps(
        [...hits, ...loose].filter(({ score }) => score > 0),
        (a, b) => b.score - a.score || a.number - b.number,
      ),
    );
    const background = measureBackground(own, exactScore, loose);
    return { meaning: keepFirst(near).slice(0, limit), background };
  }

  /** Vectors are cached from the second search on: many processes search only once. */
  async #compare(vector: Int8Array, segments: readonly Segment[]): Promise<Comparison> {
    if (!this.#hasCompared) {
      this.#hasCompared = true;
      const scores = await this.#segments.scoreOnce(segments, vector);
      return { scores, exactScore: (segment, row) => scores[segment]?.[row] as number };
    }
    const matrices = await Promise.all(segments.map((segment) => this.#segments.vectors(segment)));
    const exactScore: ExactScore = (segment, row) => dot((matrices[segment] as Matrix).row(row), vector);
    return { scores: scoreAll(matrices, vector), exactScore };
  }
}

/**
 * The average of a sample. Embedders differ in the similarity of unrelated texts, and languages that the bundled table
 * hardly covers look alike to it. A small sample counts less, since any of its documents may be a match.
 */
function measureBackground(segments: readonly Segment[], exactScore: ExactScore, loose: readonly Hit[]): number {
  const total = segments.reduce((sum, { documents }) => sum + documents, loose.length);
  const step = Math.max(1, Math.floor(total / background.sampled));
  let [sum, count] = [0, 0];
  for (const [segment, { documents }] of segments.entries()) {
    for (let at = 0; at < documents; at += step, count++) sum += exactScore(segment, at);
  }
  for (let at = 0; at < loose.length; at += step, count++) sum += (loose[at] as Hit).score;
  return Math.max(0, (sum + background.doubt * background.usual) / (count + background.doubt));
}

function inScope({ projects, kinds }: IndexScope): Sql {
  const conditions = [sql`project in ${list(projects)}`, ...(kinds ? [sql`kind in ${list(kinds)}`] : [])];
  return join(conditions, ' and ');
}
