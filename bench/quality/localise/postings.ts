// Bags of words by term, scored with BM25 as the index does it: a pass over the postings of a question instead of over all files.
import { inverseFrequency, scoreTerm } from '../../../src/search/score.ts';
import type { Bag, Terms } from './words.ts';

export class Postings {
  readonly #terms: Terms;
  readonly #lengths: readonly number[];
  readonly #average: number;
  /** By term: document, frequency, document, frequency. */
  readonly #entries = new Map<number, number[]>();

  constructor(bags: readonly Bag[], terms: Terms) {
    this.#terms = terms;
    this.#lengths = bags.map(({ length }) => length);
    this.#average = Math.max(1, this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, bags.length));
    for (const [at, { keys, counts }] of bags.entries()) {
      for (const [index, key] of keys.entries()) {
        const own = this.#entries.get(key);
        if (own) own.push(at, counts[index] as number);
        else this.#entries.set(key, [at, counts[index] as number]);
      }
    }
  }

  /** The scores of each set of terms, of every document that is among the best of one of them. */
  weigh(sets: readonly ReadonlyMap<string, number>[], limit: number): Map<number, number>[] {
    const scores = sets.map((terms) => this.#score(terms));
    const chosen = new Set(scores.flatMap((own) => findBest(own, limit)));
    return scores.map(
      (own) => new Map([...chosen].map((at): [number, number] => [at, own[at] as number]).filter(([, n]) => n > 0)),
    );
  }

  #score(terms: ReadonlyMap<string, number>): Float64Array {
    const scores = new Float64Array(this.#lengths.length);
    for (const [term, weight] of terms) {
      const key = this.#terms.known(term);
      const own = key === undefined ? undefined : this.#entries.get(key);
      if (!own) continue;
      const worth = inverseFrequency(scores.length, own.length / 2) * weight;
      for (let index = 0; index < own.length; index += 2) {
        const at = own[index] as number;
        const length = this.#lengths[at] as number;
        scores[at] = (scores[at] as number) + scoreTerm(own[index + 1] as number, length, this.#average, worth);
      }
    }
    return scores;
  }
}

function findBest(scores: Float64Array, limit: number): number[] {
  const found = [...scores.keys()].filter((at) => (scores[at] as number) > 0);
  return found.sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, limit);
}
