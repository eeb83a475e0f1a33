// Inserts many rows with few statements, because every statement is a round trip to the server.
import { Sql, type Value } from './sql.ts';
import type { Transaction } from './store.ts';

const rowsAtOnce = 100;

/** Runs the statement from `write` for the rows, a bounded number at a time. Returns the number of changed rows. */
export async function insertAll<T>(
  tx: Pick<Transaction, 'run'>,
  rows: readonly T[],
  valuesOf: (row: T) => readonly Value[],
  write: (values: Sql) => Sql,
): Promise<number> {
  let changed = 0;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    changed += await tx.run(write(listRows(rows.slice(at, at + rowsAtOnce), valuesOf)));
  }
  return changed;
}

/** `(?, ?), (?, ?)`, for `values`. */
function listRows<T>(rows: readonly T[], valuesOf: (row: T) => readonly Value[]): Sql {
  const values: Value[] = [];
  for (const row of rows) for (const value of valuesOf(row)) values.push(value);
  const width = values.length / rows.length;
  const parts = Array.from({ length: values.length + 1 }, (_, at) =>
    at === 0 ? '(' : at === values.length ? ')' : at % width === 0 ? '), (' : ', ',
  );
  return new Sql(parts, values);
}
