// The words of a file and of each of its definitions, as the product's index has them, packed: thousands of files of dozens
// of commits are held at once.
import { analyze } from '../../../src/search/analyze.ts';
import { outline } from '../../../src/services/repo/search/rank/outline.ts';

export class Bag {
  readonly keys: Uint32Array;
  readonly counts: Uint16Array;
  readonly length: number;

  constructor(counts: ReadonlyMap<number, number>, length: number) {
    const entries = [...counts].sort((a, b) => a[0] - b[0]);
    this.keys = Uint32Array.from(entries, ([key]) => key);
    this.counts = Uint16Array.from(entries, ([, count]) => Math.min(count, 65_535));
    this.length = length;
  }

  count(key: number): number {
    const { keys } = this;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key ? (this.counts[low] as number) : 0;
  }
}

export interface Part {
  name: string;
  start: number;
  end: number;
  bag: Bag;
}

export interface FileWords {
  bag: Bag;
  parts: Part[];
}

/** Numbers for terms, the same for all files of a repository. */
export class Terms {
  readonly #numbers = new Map<string, number>();

  number(term: string): number {
    let found = this.#numbers.get(term);
    if (found === undefined) {
      found = this.#numbers.size;
      this.#numbers.set(term, found);
    }
    return found;
  }

  known(term: string): number | undefined {
    return this.#numbers.get(term);
  }
}

const maxText = 512 * 1024;

export function readWords(path: string, whole: string, terms: Terms): FileWords {
  const text = whole.length > maxText ? whole.slice(0, maxText) : whole;
  const lines = text.split('\n');
  const definitions = outline(path, text);
  const owner = new Int32Array(lines.length).fill(-1);
  // Inner ones come later and take their lines from the outer.
  for (const [at, { start, end }] of definitions.entries()) owner.fill(at, start - 1, end);
  const own: string[][] = definitions.map(() => []);
  const loose: string[] = [];
  for (const [at, line] of lines.entries()) (own[owner[at] as number] ?? loose).push(line);
  const total = new Map<number, number>();
  let length = 0;
  const count = (said: string) => {
    const counts = new Map<number, number>();
    const found = analyze(said);
    for (const term of found) {
      const number = terms.number(term);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    for (const [number, times] of counts) total.set(number, (total.get(number) ?? 0) + times);
    length += found.length;
    return { counts, length: found.length };
  };
  const parts = definitions.map(({ name, start, end }, at) => {
    const counted = count((own[at] as string[]).join('\n'));
    return { name, start, end, bag: new Bag(counted.counts, counted.length) };
  });
  count(loose.join('\n'));
  return { parts, bag: new Bag(total, length) };
}
