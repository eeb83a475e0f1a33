// Export and import: the graph as JSON Lines, one row per line, in an order that makes two exports of the same graph equal. The
// index is rebuilt on import. Nodes derived from files are not exported unless a memory links to them. Rows are redacted both
// ways, because a dump may come from elsewhere, and rules are added after a text was stored.
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { redact, redactDeep } from '../core/secret/redact.ts';
import { join, list, type Sql, sql, type Value } from '../store/sql.ts';
import type { Snapshot, Store, Transaction } from '../store/store.ts';
import { hashOf } from './create-node.ts';
import { derivedEdges, derivedKinds } from './derived/tables.ts';
import { restoreInferred } from './inferred-migration.ts';

/** Exported columns; the first ones identify and order a row. */
const tables = {
  project: ['id', 'name', 'merged_into', 'changed_by', 'changed_at'],
  node: [
    'id',
    'project',
    'kind',
    'title',
    'text',
    'data',
    'importance',
    'confidence',
    'source',
    'created_at',
    'updated_at',
    'accessed_at',
    'valid_from',
    'valid_to',
    'superseded_by',
    'forgotten_at',
    'hash',
  ],
  edge: ['from_id', 'kind', 'to_id', 'project', 'weight', 'data', 'created_at'],
  change: ['id', 'node_id', 'project', 'at', 'actor', 'action', 'before'],
} as const;

type Table = keyof typeof tables;

const keys: Record<Table, readonly string[]> = {
  project: ['id'],
  node: ['id'],
  edge: ['from_id', 'kind', 'to_id'],
  change: ['id'],
};
/** Columns that contain JSON. */
const json: Record<Table, string> = { project: '', node: 'data', edge: 'data', change: 'before' };
const pageSize = 1_000;
const format = 'lorekeeper-graph-2';
/** From versions that hid memories by inference. */
const earlierFormat = 'lorekeeper-graph-1';

const derived = { kinds: list([...derivedKinds]), edges: list([...derivedEdges]) };
const isDerived = (id: Sql) => sql`exists (select 1 from node where id = ${id} and kind in ${derived.kinds})`;
/** The exported part of a table. */
const exported: Record<Table, Sql> = {
  project: sql`name <> '' or merged_into <> ''`,
  node: sql`kind not in ${derived.kinds}
    or exists (select 1 from edge where to_id = node.id and edge.kind not in ${derived.edges})`,
  edge: sql`kind not in ${derived.edges} or not (${isDerived(sql`from_id`)} or ${isDerived(sql`to_id`)})`,
  change: sql`1 = 1`,
};

/** Exports a snapshot; concurrent writes are not included. */
export async function* exportLines(store: Store): AsyncGenerator<string> {
  const snapshot = await store.snapshot();
  try {
    yield JSON.stringify({ format });
    for (const table of Object.keys(tables) as Table[]) yield* exportTable(snapshot, table);
  } finally {
    await snapshot.close();
  }
}

async function* exportTable(snapshot: Snapshot, table: Table): AsyncGenerator<string> {
  let after = sql`1 = 1`;
  for (;;) {
    const rows = await snapshot.all<Record<string, Value>>(
      sql`select ${names(tables[table])} from ${name(table)} where (${exported[table]}) and ${after}
          order by ${names(keys[table])} limit ${pageSize}`,
    );
    for (const row of rows) {
      const values = tables[table].map((column) => row[column] ?? null);
      yield JSON.stringify({ [table]: redactRow(table, values) });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    const place = keys[table].map((key) => sql`${last[key] as Value}`);
    after = sql`(${names(keys[table])}) > (${join(place, ', ')})`;
  }
}

/** Adds missing rows and returns their number; an invalid line stops the import without any change. */
export async function importLines(store: Store, lines: AsyncIterable<string>): Promise<number> {
  let begun = false;
  return store.tx(async (tx) => {
    if (begun) throw interruptedError(store.location);
    begun = true;
    let added = 0;
    let number = 0;
    let isEarlier = false;
    const ended: string[] = [];
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const entry = parse(line, number);
      if ('format' in entry) {
        isEarlier = entry.format === earlierFormat;
        if (!isEarlier && entry.format !== format) throw lineError(number, `its format is "${entry.format}"`);
        continue;
      }
      const table = (Object.keys(tables) as Table[]).find((candidate) => Array.isArray(entry[candidate]));
      const given = table ? (entry[table] as Value[]) : [];
      if (!table || given.length !== tables[table].length) throw lineError(number, 'it is not a row of a graph');
      if (table === 'project' && (await isKnown(tx, given))) continue;
      const values = attemptRow(table, given, number);
      const isNew = await tx.run(
        sql`insert into ${name(table)} (${names(tables[table])}) values (${join(
          values.map((value) => sql`${value}`),
          ', ',
        )}) on conflict do nothing`,
      );
      added += isNew;
      if (isNew > 0 && isEarlier && table === 'node' && hasEnd(values)) ended.push(String(values[0]));
    }
    for (let at = 0; at < ended.length; at += pageSize) {
      for (const statement of restoreInferred(store.dialect, ended.slice(at, at + pageSize))) await tx.run(statement);
    }
    return added;
  });
}

function hasEnd(values: readonly Value[]): boolean {
  return values[tables.node.indexOf('valid_to')] !== null;
}

/** A dump is not trusted: it must not merge a known project with another. */
async function isKnown(tx: Transaction, [id = '', , into = '']: readonly Value[]): Promise<boolean> {
  return (await tx.one(sql`select id from node where project in ${list([id, into])} limit 1`)) !== undefined;
}

function attemptRow(table: Table, values: readonly Value[], number: number): readonly Value[] {
  try {
    return redactRow(table, values);
  } catch {
    throw lineError(number, `its ${json[table]} is not JSON`);
  }
}

/** A redacted row; the hash of a node is that of its redacted text. */
function redactRow(table: Table, values: readonly Value[]): readonly Value[] {
  const columns: readonly string[] = tables[table];
  const clean = values.map((value, at) => {
    if (typeof value !== 'string') return value;
    return columns[at] === json[table] ? redactJson(value) : redact(value).text;
  });
  if (table !== 'node') return clean;
  const [kind, title, text] = ['kind', 'title', 'text'].map((column) => columns.indexOf(column)) as [
    number,
    number,
    number,
  ];
  if (clean[title] === values[title] && clean[text] === values[text]) return clean;
  clean[columns.indexOf('hash')] = hashOf(String(clean[kind]), String(clean[title]), String(clean[text]));
  return clean;
}

function redactJson(text: string): string {
  const value: unknown = JSON.parse(text);
  const clean = redactDeep(value);
  return clean === value ? text : JSON.stringify(clean);
}

function parse(line: string, number: number): Record<string, unknown> {
  try {
    const entry: unknown = JSON.parse(line);
    if (isObject(entry)) return entry;
  } catch {
    // The error follows.
  }
  throw lineError(number, 'it is not JSON');
}

/** The input cannot be read twice. */
function interruptedError(location: string): LoreError {
  return new LoreError('unavailable', `Cannot import into "${location}": it was interrupted, and nothing was added`, {
    hint: 'Import it again.',
  });
}

function lineError(number: number, state: string): LoreError {
  return new LoreError('invalid_input', `Cannot import line ${number}: ${state}`);
}

/** Only names from the table above become SQL text. */
function name(word: string): Sql {
  return sql([word] as unknown as TemplateStringsArray);
}

function names(words: readonly string[]): Sql {
  return join(words.map(name), ', ');
}
