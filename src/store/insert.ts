// Many rows in few statements: on a server every statement is a way there and back.
import type { Sql } from './sql.ts';
import type { Transaction } from './store.ts';

const rowsAtOnce = 100;

/** Runs what `write` makes of the rows, a bounded number at once, and says how many rows were changed. */
export async function insertAll<T>(
  tx: Pick<Transaction, 'run'>,
  rows: readonly T[],
  write: (some: readonly T[]) => Sql,
): Promise<number> {
  let changed = 0;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    changed += await tx.run(write(rows.slice(at, at + rowsAtOnce)));
  }
  return changed;
}
