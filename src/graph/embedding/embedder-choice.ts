// The embedder of a database: one at a time, whatever the settings of its users. A model that the database has never used
// replaces the current one; a model that was replaced returns only by command. So two users with different settings can each
// change it once, but not alternate forever.
import type { Migration } from '../../core/migration.ts';
import { sql } from '../../store/sql.ts';
import type { Store, Transaction } from '../../store/store.ts';

export const embedderMigration: Migration = {
  id: 'graph/embedder-1',
  up: () => [sql`create table embedder (model text primary key, remote bigint not null, chosen_at bigint not null)`],
};

interface Choice {
  model: string;
  remote: boolean;
}

/** Undefined for a database that has never been embedded. */
export async function readChoice(from: Pick<Transaction, 'one'>): Promise<Choice | undefined> {
  const row = await from.one<{ model: string; remote: number }>(
    sql`select model, remote from embedder order by chosen_at desc, model limit 1`,
  );
  return row && { model: row.model, remote: row.remote === 1 };
}

/** Makes a model the database's if that is allowed without a command; returns the current one. */
export async function proposeModel(store: Store, mine: Choice): Promise<Choice> {
  const current = await readChoice(store);
  if (current?.model === mine.model) return current;
  return store.tx(async (tx) => {
    const now = await readChoice(tx);
    const known = await tx.one(sql`select model from embedder where model = ${mine.model}`);
    // The bundled embedder is the default, not a choice.
    if (now && (known || (now.remote && !mine.remote))) return now;
    await record(tx, mine);
    return mine;
  });
}

/** Makes a model the database's by command. */
export async function chooseModel(store: Store, mine: Choice): Promise<void> {
  await store.tx((tx) => record(tx, mine));
}

async function record(tx: Transaction, { model, remote }: Choice): Promise<void> {
  const last = await tx.one<{ at: number | null }>(sql`select max(chosen_at) as at from embedder`);
  // Later than the last entry, whatever this machine's clock says.
  const at = Math.max(Date.now(), (last?.at ?? 0) + 1);
  await tx.run(
    sql`insert into embedder (model, remote, chosen_at) values (${model}, ${remote ? 1 : 0}, ${at})
        on conflict (model) do update set chosen_at = excluded.chosen_at`,
  );
}
