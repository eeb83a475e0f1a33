// Reads documents that are not in a segment yet. The list of fresh documents is read every time, since any process may add
// some; their content is immutable and cached while they are fresh.
import { runSoon, type Steps } from '../core/steps.ts';
import { createQueue } from '../store/queue.ts';
import { list, type Sql, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { readTerms, toInt8 } from './document.ts';

export interface FreshDocument {
  number: number;
  length: number;
  model: string;
  frequencies: ReadonlyMap<string, number>;
  vector: Int8Array | undefined;
}

/** All fresh documents of a scope. */
export interface FreshDocuments {
  readonly documents: readonly FreshDocument[];
  /** The indexes of the documents that contain a term. */
  readonly withTerm: ReadonlyMap<string, readonly number[]>;
}

interface FreshRow {
  number: number;
  length: number;
  model: string;
  terms: string;
  vector: Uint8Array | null;
}

const readAtOnce = 500;
/** Terms indexed in one step. */
const addedAtOnce = 10_000;
/** Terms of documents; long ones have thousands each. */
const maxKept = 1_000_000;

class FreshList implements FreshDocuments {
  readonly documents: FreshDocument[] = [];
  readonly withTerm = new Map<string, number[]>();

  isBeginningOf(longer: readonly FreshDocument[]): boolean {
    return this.documents.every((document, at) => document === longer[at]);
  }

  /** A search in progress ignores the added ones. */
  *extend(longer: readonly FreshDocument[]): Steps<void> {
    let added = 0;
    for (let at = this.documents.length; at < longer.length; at++) {
      const document = longer[at] as FreshDocument;
      this.documents.push(document);
      for (const term of document.frequencies.keys()) {
        const places = this.withTerm.get(term);
        if (places) places.push(at);
        else this.withTerm.set(term, [at]);
      }
      added += document.frequencies.size;
      if (added < addedAtOnce) continue;
      added = 0;
      yield;
    }
  }
}

export class FreshReader {
  readonly #store: Pick<Store, 'all'>;
  readonly #enqueue = createQueue();
  readonly #kept = new Map<number, FreshDocument>();
  #keptTerms = 0;
  #last: { scope: string; state: string; found: FreshList } | undefined;

  constructor(store: Pick<Store, 'all'>) {
    this.#store = store;
  }

  /** One after the other, because the list of the last search is extended. */
  read(scope: Sql): Promise<FreshDocuments> {
    return this.#enqueue(() => this.#read(scope));
  }

  async #read(scope: Sql): Promise<FreshDocuments> {
    // Numbers are never reused: if these four are unchanged, so is the rest, and one row is read instead of hundreds.
    const [row] = await this.#store.all<{ n: number; first: number; last: number; total: number }>(
      sql`select count(*) as n, min(number) as first, max(number) as last, sum(number) as total from fresh where ${scope}`,
    );
    const state = JSON.stringify(row);
    const key = JSON.stringify([scope.parts, scope.values]);
    const known = this.#last?.scope === key ? this.#last : undefined;
    if (known?.state === state) return known.found;
    const documents = await this.#readAll(scope);
    // Usually some were added to those of the last search.
    const found = known?.found.isBeginningOf(documents) ? known.found : new FreshList();
    await runSoon(found.extend(documents));
    this.#last = { scope: key, state, found };
    return found;
  }

  async #readAll(scope: Sql): Promise<FreshDocument[]> {
    const rows = await this.#store.all<{ number: number }>(sql`select number from fresh where ${scope}`);
    const missing = rows.filter(({ number }) => !this.#kept.has(number));
    const found = new Map<number, FreshDocument>();
    for (let at = 0; at < missing.length; at += readAtOnce) {
      const numbers = missing.slice(at, at + readAtOnce).map(({ number }) => number);
      for (const document of await this.#fetch(numbers)) found.set(document.number, document);
    }
    const documents = rows.flatMap(({ number }) => this.#kept.get(number) ?? found.get(number) ?? []);
    for (const [number, document] of found) {
      this.#kept.set(number, document);
      this.#keptTerms += document.frequencies.size;
    }
    for (const [oldest, { frequencies }] of this.#kept) {
      if (this.#keptTerms <= maxKept) break;
      this.#kept.delete(oldest);
      this.#keptTerms -= frequencies.size;
    }
    return documents;
  }

  /** Documents compacted between the two queries are missing here, but are in their segment. */
  async #fetch(numbers: readonly number[]): Promise<FreshDocument[]> {
    const rows = await this.#store.all<FreshRow>(
      sql`select number, length, model, terms, vector from fresh where number in ${list(numbers)}`,
    );
    return rows.map(({ number, length, model, terms, vector }) => ({
      number,
      length,
      model,
      frequencies: readTerms(terms),
      vector: vector ? toInt8(vector) : undefined,
    }));
  }
}
