// Evidence from the history: commit messages describe fixes in words that the code does not contain, and that later reports
// use again.
import { analyze, inverseFrequency, scoreTerm } from '../../../../graph/words.ts';
import type { Past } from './features.ts';
import type { Paths } from './paths.ts';
import type { CodeQuestion } from './question.ts';
import { isSource, isTest } from './source.ts';

export interface CommitChange {
  message: string;
  paths: readonly string[];
}

/** Arguments of `git log`; `readChanges` parses the output. */
export const logArguments = [
  'log',
  '--max-count=1000',
  '--no-merges',
  '--no-renames',
  '--name-only',
  '-z',
  '--format=%x01%B%x02',
] as const;

/** A change to more files is a move or a reformatting. */
const mostTogether = 12;
const longestMessage = 1_500;
/** Terms of one file that count. */
const mostTerms = 4_000;
const trailer = /^[A-Z][\w-]+-by: .*$/gm;

export function readChanges(log: string): CommitChange[] {
  return log.split('\x01').flatMap((piece) => {
    const [message = '', names] = piece.split('\x02');
    return names === undefined ? [] : [{ message, paths: names.split(/[\0\n]/).filter((name) => name !== '') }];
  });
}

export class History {
  readonly #paths: string[] = [];
  /** Number of terms in the commit messages of each path. */
  readonly #lengths: number[] = [];
  /** By term, by the place of the path: how often. */
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #average: number;

  /** Of the latest first. */
  constructor(changes: readonly CommitChange[]) {
    const places = new Map<string, number>();
    for (const { message, paths } of changes) {
      const sources = paths.filter((path) => isSource(path) && !isTest(path));
      if (sources.length === 0 || sources.length > mostTogether) continue;
      const terms = analyze(message.replace(trailer, '').slice(0, longestMessage));
      const open = sources
        .map((path) => this.#place(path, places))
        .filter((at) => (this.#lengths[at] as number) < mostTerms);
      for (const at of open) this.#lengths[at] = (this.#lengths[at] as number) + terms.length;
      for (const term of terms) this.#add(term, open);
    }
    const total = this.#lengths.reduce((sum, length) => sum + length, 0);
    this.#average = Math.max(1, total / Math.max(1, this.#paths.length));
  }

  /** Scores every path whose commit messages contain any of these. */
  score(terms: ReadonlyMap<string, number>): Map<string, number> {
    const scores = new Float64Array(this.#paths.length);
    for (const [term, weight] of terms) {
      const own = this.#counts.get(term);
      if (!own) continue;
      const worth = weight * inverseFrequency(this.#paths.length, own.size);
      for (const [at, count] of own) {
        scores[at] = (scores[at] as number) + scoreTerm(count, this.#lengths[at] as number, this.#average, worth);
      }
    }
    return new Map(
      this.#paths.map((path, at): [string, number] => [path, scores[at] as number]).filter(([, n]) => n > 0),
    );
  }

  #place(path: string, places: Map<string, number>): number {
    let at = places.get(path);
    if (at === undefined) {
      at = this.#paths.push(path) - 1;
      this.#lengths.push(0);
      places.set(path, at);
    }
    return at;
  }

  #add(term: string, places: readonly number[]): void {
    const own = this.#counts.get(term) ?? new Map<number, number>();
    this.#counts.set(term, own);
    for (const at of places) own.set(at, (own.get(at) ?? 0) + 1);
  }
}

export function recall(history: History, { terms, titleTerms }: CodeQuestion, paths: Paths): Past {
  const place = (scores: ReadonlyMap<string, number>) => {
    const found = new Map<number, number>();
    for (const [path, score] of scores) {
      const at = paths.placeOf(path);
      if (at !== undefined) found.set(at, score);
    }
    return found;
  };
  return { words: place(history.score(terms)), titleWords: place(history.score(titleTerms)) };
}
