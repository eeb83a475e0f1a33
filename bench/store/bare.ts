// The same work with the bare engine, as one would write it by hand: a table of notes with the engine's own text index, a
// table of links and a table of vectors.
import { analyzeQuery } from '../../src/search/analyze.ts';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store, Transaction } from '../../src/store/store.ts';

export interface Bare {
  put(notes: readonly { id: string; text: string; vector: Int8Array; links: readonly string[] }[]): Promise<void>;
  findText(query: string): Promise<unknown>;
  findVector(vector: Int8Array): Promise<unknown>;
  walk(from: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function openBare(location: string): Promise<Bare> {
  const store = await openStore(location);
  const isSqlite = store.dialect === 'sqlite';
  for (const statement of isSqlite ? sqliteTables : postgresTables) await store.run(statement);
  return {
    put: (notes) =>
      store.tx(async (tx) => {
        for (const { id, text, vector, links } of notes) {
          const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
          await tx.run(sql`insert into note (id, project, text, vector) values (${id}, 'p', ${text}, ${bytes})`);
          if (isSqlite) await tx.run(sql`insert into note_text (id, text) values (${id}, ${text})`);
          for (const to of links) await putLink(tx, id, to);
        }
      }),
    findText: (query) => (isSqlite ? findInSqlite(store, query) : findInPostgres(store, query)),
    findVector: (vector) => scanVectors(store, vector),
    walk: (from) =>
      store.all(
        sql`with recursive near(id, hop) as (
              select cast(${from} as text), 0
              union select case when link.from_id = near.id then link.to_id else link.from_id end, near.hop + 1
              from near join link on link.from_id = near.id or link.to_id = near.id where near.hop < 2)
            select distinct id from near limit 20000`,
      ),
    close: () => store.close(),
  };
}

const sqliteTables = [
  sql`create table note (id text primary key, project text not null, text text not null, vector blob not null)`,
  sql`create table link (from_id text not null, to_id text not null, primary key (from_id, to_id))`,
  sql`create index link_back on link (to_id)`,
  sql`create virtual table note_text using fts5(id unindexed, text, tokenize = 'porter unicode61')`,
];

const postgresTables = [
  sql`create table note (id text primary key, project text not null, text text not null, vector bytea not null,
        words tsvector generated always as (to_tsvector('english', text)) stored)`,
  sql`create index note_words on note using gin (words)`,
  sql`create table link (from_id text not null, to_id text not null, primary key (from_id, to_id))`,
  sql`create index link_back on link (to_id)`,
];

const putLink = (tx: Transaction, from: string, to: string) =>
  tx.run(sql`insert into link (from_id, to_id) values (${from}, ${to}) on conflict do nothing`);

function findInSqlite(store: Store, query: string): Promise<unknown> {
  const match = analyzeQuery(query)
    .map((term) => `"${term}"`)
    .join(' OR ');
  return store.all(
    sql`select note.id, note.text from note_text join note on note.id = note_text.id
        where note_text match ${match} and note.project = 'p' order by bm25(note_text) limit 10`,
  );
}

function findInPostgres(store: Store, query: string): Promise<unknown> {
  const match = query.split(/\s+/).join(' or ');
  return store.all(
    sql`select id, text from note, websearch_to_tsquery('english', ${match}) as asked
        where words @@ asked and project = 'p' order by ts_rank(words, asked) desc limit 10`,
  );
}

/** Neither engine knows vectors: all are read and compared. */
async function scanVectors(store: Store, vector: Int8Array): Promise<unknown> {
  const rows = await store.all<{ id: string; vector: Uint8Array }>(
    sql`select id, vector from note where project = 'p'`,
  );
  const scored = rows.map(({ id, vector: bytes }) => {
    const own = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let score = 0;
    for (let at = 0; at < own.length; at++) score += (own[at] as number) * (vector[at] as number);
    return { id, score };
  });
  return scored.sort((a, b) => b.score - a.score).slice(0, 10);
}
