// Reads documents that are not in a segment yet. The list of fresh documents is read every time, since any process may add
// some; their content is immutable and cached while they are fresh.
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

interface FreshRow {
  number: number;
  length: number;
  model: string;
  terms: string;
  vector: Uint8Array | null;
}

const readAtOnce = 500;
/** Terms of documents; long ones have thousands each. */
const maxKept = 1_000_000;

export class FreshReader {
  readonly #store: Pick<Store, 'all'>;
  readonly #kept = new Map<number, FreshDocument>();
  #keptTerms = 0;
  #last: { state: string; documents: readonly FreshDocument[] } | undefined;

  constructor(store: Pick<Store, 'all'>) {
    this.#store = store;
  }

  async read(scope: Sql): Promise<readonly FreshDocument[]> {
    // Numbers are never reused: if these four are unchanged, so is the rest, and one row is read instead of hundreds.
    const [row] = await this.#store.all<{ n: number; first: number; last: number; total: number }>(
      sql`select count(*) as n, min(number) as first, max(number) as last, sum(number) as total from fresh where ${scope}`,
    );
    const state = JSON.stringify([scope.values, row]);
    if (state !== this.#last?.state) this.#last = { state, documents: await this.#readAll(scope) };
    return this.#last.documents;
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
