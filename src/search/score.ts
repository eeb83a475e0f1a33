// BM25 over postings, and a top-k heap: pure arithmetic on typed arrays.
import { type Steps, sortInSteps } from '../core/steps.ts';
import type { Posting } from './posting.ts';

const k1 = 1.2;
const b = 0.75;

/** The most that a term of weight 1 can add to a score. */
export const mostOfTerm = k1 + 1;

export function inverseFrequency(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** Adds one term's score to every document that contains it. */
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

/** The same for one document outside segments, with identical rounding: equal documents must have equal scores. */
export function scoreTerm(frequency: number, length: number, averageLength: number, weight: number): number {
  const base = k1 * (1 - b);
  const slope = (k1 * b) / averageLength;
  const gain = weight * (k1 + 1);
  return (gain * frequency) / (frequency + base + slope * length);
}

export interface Scored {
  place: number;
  score: number;
}

/** Collects the best scores above zero; of equal scores, the first offered. */
export class Best {
  readonly #capacity: number;
  readonly #places: Int32Array;
  readonly #scores: Float32Array;
  #size = 0;
  /** The score that a new entry must exceed. */
  #floor = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#places = new Int32Array(capacity);
    this.#scores = new Float32Array(capacity);
  }

  /** Scores of consecutive positions, beginning with `base`. */
  offer(scores: Float32Array, base: number): void {
    // This comparison rejects nearly all.
    let floor = this.#floor;
    for (let index = 0; index < scores.length; index++) {
      const score = scores[index] as number;
      if (score > floor) floor = this.#add(base + index, score);
    }
  }

  *take(): Steps<Scored[]> {
    const found: Scored[] = [];
    for (let at = 0; at < this.#size; at++) {
      found.push({ place: this.#places[at] as number, score: this.#scores[at] as number });
    }
    return yield* sortInSteps(found, (a, z) => z.score - a.score || a.place - z.place);
  }

  /** A heap with the worst entry on top; of equal scores, the later one. */
  #add(place: number, score: number): number {
    if (this.#size < this.#capacity) this.#rise(this.#size++, place, score);
    else this.#sink(place, score);
    this.#floor = this.#size < this.#capacity ? 0 : (this.#scores[0] as number);
    return this.#floor;
  }

  #rise(from: number, place: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBetter(parent, place, score)) break;
      this.#copy(parent, at);
      at = parent;
    }
    this.#set(at, place, score);
  }

  /** Replaces the worst entry. */
  #sink(place: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      const other = child + 1;
      if (other < this.#size && this.#isBetter(child, this.#places[other] as number, this.#scores[other] as number)) {
        child = other;
      }
      if (this.#isBetter(child, place, score)) break;
      this.#copy(child, at);
      at = child;
    }
    this.#set(at, place, score);
  }

  /** Whether the entry at `at` is better than the given one. */
  #isBetter(at: number, place: number, score: number): boolean {
    const own = this.#scores[at] as number;
    return own > score || (own === score && (this.#places[at] as number) < place);
  }

  #copy(from: number, to: number): void {
    this.#set(to, this.#places[from] as number, this.#scores[from] as number);
  }

  #set(at: number, place: number, score: number): void {
    this.#places[at] = place;
    this.#scores[at] = score;
  }
}
