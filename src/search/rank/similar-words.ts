// How well the words of a text cover the words of a query: for each word of the query, the most similar word of the text in the
// bundled table. The length of a word's row is its weight: frequent words have short rows.
import type { Steps } from '../../core/steps.ts';
import type { StaticTable } from '../embed.ts';

export interface QueryWords {
  /** Distinct rows of the table, with their weights. */
  rows: readonly number[];
  weights: readonly number[];
  /** Neighbours in the query. */
  pairs: ReadonlySet<number>;
}

/** Of a long query, the words with the most weight are compared. */
const mostWords = 24;
/** Shorter rows are punctuation and articles. */
const leastWeight = 0.25;

export function readWords(table: StaticTable, text: string): number[] {
  const rows: number[] = [];
  table.visitRows(text, (row) => {
    if (!table.isPair(row)) rows.push(row);
  });
  return rows;
}

export function readQuery(table: StaticTable, query: string): QueryWords {
  const sequence = readWords(table, query);
  const distinct = [...new Set(sequence)].filter((row) => table.lengthOf(row) >= leastWeight);
  const rows = distinct.sort((a, b) => table.lengthOf(b) - table.lengthOf(a)).slice(0, mostWords);
  const pairs = new Set(sequence.slice(1).map((row, at) => pairWords(sequence[at] as number, row)));
  return { rows, weights: rows.map((row) => table.lengthOf(row)), pairs };
}

export function pairWords(first: number, second: number): number {
  return first * 2 ** 20 + second;
}

/** For each text, the similarity of its most similar word to each word of the query, and whether the text has that word. */
export function* coverQuery(
  table: StaticTable,
  asked: readonly number[],
  /** The distinct words of each text. */
  texts: readonly (readonly number[])[],
): Steps<Float32Array[]> {
  const numbers = new Map<number, number>();
  const places = texts.map((rows) => {
    const own = new Int32Array(rows.length);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      let number = numbers.get(row);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(row, number);
      }
      own[at] = number;
    }
    return own;
  });
  yield;
  const compared = table.compare(asked, [...numbers.keys()]);
  const covered: Float32Array[] = [];
  for (const own of places) {
    yield;
    const best = new Float32Array(asked.length);
    for (const [at, similarity] of compared.entries()) {
      let most = 0;
      for (let word = 0; word < own.length; word++) {
        const value = similarity[own[word] as number] as number;
        if (value > most) most = value;
      }
      best[at] = most;
    }
    covered.push(best);
  }
  return covered;
}
