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
  const heap: Scored[] = [];
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number;
    if (score <= 0 || (heap.length === count && score <= (heap[0] as Scored).score)) continue;
    if (heap.length < count) {
      heap.push({ index, score });
      siftUp(heap);
    } else {
      heap[0] = { index, score };
      siftDown(heap);
    }
  }
  return heap.sort((a, z) => z.score - a.score || a.index - z.index);
}

/** Of equals the later one goes first, so that what is kept does not depend on how the heap stood. */
function isWorse(a: Scored, b: Scored): boolean {
  return a.score < b.score || (a.score === b.score && a.index > b.index);
}

function siftUp(heap: Scored[]): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap[at] as Scored, heap[parent] as Scored)) return;
    [heap[parent], heap[at]] = [heap[at] as Scored, heap[parent] as Scored];
    at = parent;
  }
}

function siftDown(heap: Scored[]): void {
  for (let at = 0; ; ) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isWorse(heap[child] as Scored, heap[least] as Scored)) least = child;
    }
    if (least === at) return;
    [heap[least], heap[at]] = [heap[at] as Scored, heap[least] as Scored];
    at = least;
  }
}
