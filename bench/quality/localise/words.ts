// The words of a file and of each of its definitions, as the product's index has them, packed: thousands of files of dozens
// of commits are held at once.
import { analyze } from '../../../src/search/analyze.ts';
import { type Outlined, outline } from '../../../src/services/repo/search/rank/outline.ts';

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
  const total = new Counting(terms);
  const parts = definitions.map(({ name, start, end }, at) => {
    const body = analyze((own[at] as string[]).join('\n'));
    const counting = new Counting(terms);
    counting.add(analyze(`${qualify(definitions, at)} ${path}`), titleWeight);
    for (const one of [counting, total]) one.add(body, 1);
    return { name, start, end, bag: counting.pack() };
  });
  total.add(analyze(loose.join('\n')), 1);
  total.add(analyze(path), titleWeight);
  return { parts, bag: total.pack() };
}

/** As the index counts a word of a title. */
const titleWeight = 2;

class Counting {
  readonly #terms: Terms;
  readonly #counts = new Map<number, number>();
  #length = 0;

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  add(found: readonly string[], weight: number): void {
    for (const term of found) {
      const number = this.#terms.number(term);
      this.#counts.set(number, (this.#counts.get(number) ?? 0) + weight);
    }
    this.#length += found.length;
  }

  pack(): Bag {
    return new Bag(this.#counts, this.#length);
  }
}

/** With the names of what it is in. */
function qualify(definitions: readonly Outlined[], at: number): string {
  const { name, end, depth } = definitions[at] as Outlined;
  let outer = depth;
  const names = [name];
  for (let before = at - 1; before >= 0 && outer > 0; before--) {
    const one = definitions[before] as Outlined;
    if (one.depth >= outer || one.end < end) continue;
    names.unshift(one.name);
    outer = one.depth;
  }
  return names.join('.');
}
