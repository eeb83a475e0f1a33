// Export and import: the graph as JSON Lines, one row a line, in an order that makes two exports of the same graph equal.
// The index is not part of it: it is made anew from the nodes, by whatever embedder the other side has.
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { join, type Sql, sql, type Value } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** Columns of what is exported; the first ones name a row and put it in order. */
const tables = {
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

const keys: Record<Table, readonly string[]> = { node: ['id'], edge: ['from_id', 'kind', 'to_id'], change: ['id'] };
const pageSize = 1_000;
const format = 'lorekeeper-graph-1';

export async function* exportLines(store: Store): AsyncGenerator<string> {
  yield JSON.stringify({ format });
  for (const table of Object.keys(tables) as Table[]) {
    for (let offset = 0; ; offset += pageSize) {
      const rows = await store.all<Record<string, Value>>(
        sql`select ${names(tables[table])} from ${name(table)} order by ${names(keys[table])}
            limit ${pageSize} offset ${offset}`,
      );
      for (const row of rows) yield JSON.stringify({ [table]: tables[table].map((column) => row[column] ?? null) });
      if (rows.length < pageSize) break;
    }
  }
}

/** Puts in what is not there yet, and says how many rows that were; a line that is not ours stops it, with nothing done. */
export async function importLines(store: Store, lines: AsyncIterable<string>): Promise<number> {
  let begun = false;
  return store.tx(async (tx) => {
    if (begun) throw refuseAgain(store.location);
    begun = true;
    let added = 0;
    let number = 0;
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const entry = parse(line, number);
      if ('format' in entry) {
        if (entry.format !== format) throw refuse(number, `its format is "${entry.format}"`);
        continue;
      }
      const table = (Object.keys(tables) as Table[]).find((candidate) => Array.isArray(entry[candidate]));
      const values = table ? (entry[table] as Value[]) : [];
      if (!table || values.length !== tables[table].length) throw refuse(number, 'it is not a row of a graph');
      added += await tx.run(
        sql`insert into ${name(table)} (${names(tables[table])}) values (${join(
          values.map((value) => sql`${value}`),
          ', ',
        )}) on conflict do nothing`,
      );
    }
    return added;
  });
}

function parse(line: string, number: number): Record<string, unknown> {
  try {
    const entry: unknown = JSON.parse(line);
    if (isObject(entry)) return entry;
  } catch {
    // Said below.
  }
  throw refuse(number, 'it is not JSON');
}

/** Lines that have been read cannot be read again. */
function refuseAgain(location: string): LoreError {
  return new LoreError('unavailable', `Cannot import into "${location}": it was interrupted, and nothing was added`, {
    hint: 'Import once more.',
  });
}

function refuse(number: number, state: string): LoreError {
  return new LoreError('invalid_input', `Cannot import line ${number}: ${state}`);
}

/** Only names from the table above ever become text. */
function name(word: string): Sql {
  return sql([word] as unknown as TemplateStringsArray);
}

function names(words: readonly string[]): Sql {
  return join(words.map(name), ', ');
}
