// A repository at one commit, held in memory as the product's index would hold it, and what it knows about a question.
import type { Evidence } from '../../../src/services/repo/search/rank/features.ts';
import { History, logArguments, readChanges, recall } from '../../../src/services/repo/search/rank/history.ts';
import { Paths } from '../../../src/services/repo/search/rank/paths.ts';
import type { CodeQuestion } from '../../../src/services/repo/search/rank/question.ts';
import { isSource, isTest } from '../../../src/services/repo/search/rank/source.ts';
import { Postings } from './postings.ts';
import { listTree, readBlobs, readLog, type TreeFile } from './tree.ts';
import { type FileWords, readWords, Terms } from './words.ts';

const maxSize = 1_000_000;
/** As the product reads them from its index. */
const filesWeighed = 200;
const partsWeighed = 200;

/** Files are the same over many commits: each state of one is read once. */
export class Repository {
  readonly terms = new Terms();
  readonly #git: string;
  readonly #words = new Map<string, FileWords>();
  #last: { commit: string; corpus: Corpus } | undefined;

  constructor(git: string) {
    this.#git = git;
  }

  async open(commit: string): Promise<Corpus> {
    if (this.#last?.commit !== commit) this.#last = { commit, corpus: await this.#read(commit) };
    return this.#last.corpus;
  }

  async #read(commit: string): Promise<Corpus> {
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
  readonly #files: Postings;
  readonly #parts: Postings;
  /** The file of each part. */
  readonly #owners: readonly number[];
  readonly #names = new Map<string, number[]>();
  readonly #history: History;

  constructor(paths: readonly string[], files: readonly FileWords[], terms: Terms, history: History) {
    this.paths = new Paths(paths);
    this.#history = history;
    this.#files = new Postings(
      files.map(({ bag }) => bag),
      terms,
    );
    this.#parts = new Postings(
      files.flatMap(({ parts }) => parts.map(({ bag }) => bag)),
      terms,
    );
    this.#owners = files.flatMap(({ parts }, file) => parts.map(() => file));
    for (const [at, { parts }] of files.entries()) {
      for (const name of new Set(parts.map((part) => part.name))) {
        const known = this.#names.get(name);
        if (known) known.push(at);
        else this.#names.set(name, [at]);
      }
    }
  }

  gather(question: CodeQuestion): Evidence {
    const [words, titleWords] = this.#files.weigh([question.terms, question.titleTerms], filesWeighed);
    const [parts] = this.#parts.weigh([question.headTerms], partsWeighed);
    const best = new Map<number, number>();
    for (const [at, score] of parts ?? []) {
      const file = this.#owners[at] as number;
      best.set(file, Math.max(best.get(file) ?? 0, score));
    }
    const definitions = new Map<string, readonly number[]>();
    for (const { name } of question.mentions.names) {
      const found = this.#names.get(name);
      if (found) definitions.set(name, found);
    }
    return {
      paths: this.paths,
      words: words ?? new Map(),
      titleWords: titleWords ?? new Map(),
      parts: best,
      definitions,
      past: recall(this.#history, question, this.paths),
    };
  }
}
