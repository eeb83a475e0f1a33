// BM25 over postings, and the best of any scores: pure arithmetic on typed arrays.
import type { Posting } from './posting.ts';

const k1 = 1.2;
const b = 0.75;

export function inverseFrequency(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** Adds one term's share to the score of every document that has it. */
export function addTermScores(
  scores: Float32Array,
  { documents, frequencies }: Posting,
  lengths: Uint16Array,
  averageLength: number,
  weight: number,
): void {
  const base = k1 * (1 - b);
  const slope = (k1 * b) / averageLength;
  const gain = weight * (k1 + 1);
  for (let index = 0; index < documents.length; index++) {
    const document = documents[index] as number;
    const frequency = frequencies[index] as number;
    const share = (gain * frequency) / (frequency + base + slope * (lengths[document] as number));
    scores[document] = (scores[document] as number) + share;
  }
}

/** The same for one document that is in no segment, to the last bit: equals must stay equal wherever they lie. */
export function scoreTerm(frequency: number, length: number, averageLength: number, weight: number): number {
  const base = k1 * (1 - b);
  const slope = (k1 * b) / averageLength;
  const gain = weight * (k1 + 1);
  return (gain * frequency) / (frequency + base + slope * length);
}

export interface Scored {
  index: number;
  score: number;
}

/** The `count` best above zero, best first; of equals, the first ones. */
export function selectBest(scores: Float32Array, count: number): Scored[] {
  const heap = new Heap(count);
  // Nearly all are passed over by this one comparison.
  let floor = 0;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number;
    if (score > floor) floor = heap.add(index, score);
  }
  return heap.sort();
}

/** The best so far, the worst of them on top; of equals the later one is the worse. */
class Heap {
  readonly #capacity: number;
  readonly #indexes: Int32Array;
  readonly #scores: Float32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#indexes = new Int32Array(capacity);
    this.#scores = new Float32Array(capacity);
  }

  /** Says what a further score has to exceed. */
  add(index: number, score: number): number {
    if (this.#size < this.#capacity) this.#rise(this.#size++, index, score);
    else this.#sink(index, score);
    return this.#size < this.#capacity ? 0 : (this.#scores[0] as number);
  }

  sort(): Scored[] {
    const found: Scored[] = [];
    for (let at = 0; at < this.#size; at++) {
      found.push({ index: this.#indexes[at] as number, score: this.#scores[at] as number });
    }
    return found.sort((a, z) => z.score - a.score || a.index - z.index);
  }

  #rise(from: number, index: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBetter(parent, index, score)) break;
      this.#copy(parent, at);
      at = parent;
    }
    this.#set(at, index, score);
  }

  /** In place of the worst. */
  #sink(index: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      const other = child + 1;
      if (other < this.#size && this.#isBetter(child, this.#indexes[other] as number, this.#scores[other] as number)) {
        child = other;
      }
      if (this.#isBetter(child, index, score)) break;
      this.#copy(child, at);
      at = child;
    }
    this.#set(at, index, score);
  }

  /** Whether what lies at `at` is better than the given. */
  #isBetter(at: number, index: number, score: number): boolean {
    const own = this.#scores[at] as number;
    return own > score || (own === score && (this.#indexes[at] as number) < index);
  }

  #copy(from: number, to: number): void {
    this.#set(to, this.#indexes[from] as number, this.#scores[from] as number);
  }

  #set(at: number, index: number, score: number): void {
    this.#indexes[at] = index;
    this.#scores[at] = score;
  }
}
