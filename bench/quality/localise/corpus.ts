// A repository at one commit, held in memory as the product's index would hold it, and what it knows about a question.
import { inverseFrequency, scoreTerm } from '../../../src/search/score.ts';
import type { Evidence } from '../../../src/services/repo/search/rank/features.ts';
import { History, logArguments, readChanges, recall } from '../../../src/services/repo/search/rank/history.ts';
import { Paths } from '../../../src/services/repo/search/rank/paths.ts';
import type { CodeQuestion } from '../../../src/services/repo/search/rank/question.ts';
import { isSource, isTest } from '../../../src/services/repo/search/rank/source.ts';
import { listTree, readBlobs, readLog, type TreeFile } from './tree.ts';
import { type Bag, type FileWords, readWords, Terms } from './words.ts';

const maxSize = 1_000_000;

/** Files are the same over many commits: each state of one is read once. */
export class Repository {
  readonly terms = new Terms();
  readonly #git: string;
  readonly #words = new Map<string, FileWords>();

  constructor(git: string) {
    this.#git = git;
  }

  async open(commit: string): Promise<Corpus> {
    const files = listTree(this.#git, commit).filter(
      ({ path, size }) => size < maxSize && isSource(path) && !isTest(path),
    );
    const missing = files.filter(({ blob, path }) => !this.#words.has(`${blob} ${path}`));
    let at = 0;
    for await (const text of readBlobs(
      this.#git,
      missing.map(({ blob }) => blob),
    )) {
      const { blob, path } = missing[at++] as TreeFile;
      this.#words.set(`${blob} ${path}`, readWords(path, text, this.terms));
    }
    return new Corpus(
      files.map(({ path }) => path),
      files.map(({ blob, path }) => this.#words.get(`${blob} ${path}`) as FileWords),
      this.terms,
      new History(readChanges(readLog(this.#git, commit, logArguments))),
    );
  }
}

export class Corpus {
  readonly paths: Paths;
  readonly files: readonly FileWords[];
  readonly #terms: Terms;
  readonly #names = new Map<string, number[]>();
  readonly #history: History;

  constructor(paths: readonly string[], files: readonly FileWords[], terms: Terms, history: History) {
    this.paths = new Paths(paths);
    this.#history = history;
    this.files = files;
    this.#terms = terms;
    for (const [at, { parts }] of files.entries()) {
      for (const name of new Set(parts.map((part) => part.name))) {
        const known = this.#names.get(name);
        if (known) known.push(at);
        else this.#names.set(name, [at]);
      }
    }
  }

  gather(question: CodeQuestion): Evidence {
    const bags = this.files.map(({ bag }) => bag);
    const flat = this.files.flatMap(({ parts }, file) => parts.map(({ bag }) => ({ file, bag })));
    const partBags = flat.map(({ bag }) => bag);
    const best = new Map<number, number>();
    for (const [at, score] of this.#score(question.headTerms, partBags)) {
      const { file } = flat[at] as { file: number };
      best.set(file, Math.max(best.get(file) ?? 0, score));
    }
    const definitions = new Map<string, readonly number[]>();
    for (const { name } of question.mentions.names) {
      const found = this.#names.get(name);
      if (found) definitions.set(name, found);
    }
    return {
      paths: this.paths,
      words: this.#score(question.terms, bags),
      titleWords: this.#score(question.titleTerms, bags),
      parts: best,
      definitions,
      past: recall(this.#history, question, this.paths),
    };
  }

  /** BM25, as the index does it. */
  #score(terms: ReadonlyMap<string, number>, bags: readonly Bag[]): Map<number, number> {
    const average = Math.max(1, bags.reduce((sum, { length }) => sum + length, 0) / Math.max(1, bags.length));
    const scores = new Float64Array(bags.length);
    for (const [term, weight] of terms) {
      const key = this.#terms.known(term);
      if (key === undefined) continue;
      const counts = bags.map((bag) => bag.count(key));
      const having = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
      if (having === 0) continue;
      const worth = inverseFrequency(bags.length, having) * weight;
      for (const [at, count] of counts.entries()) {
        if (count > 0) scores[at] = (scores[at] as number) + scoreTerm(count, (bags[at] as Bag).length, average, worth);
      }
    }
    return new Map([...scores.entries()].filter(([, score]) => score > 0));
  }
}
