// Background operations as durable records: any process can run one, and another continues it if that process dies. A lease
// makes sure that only one process works on it. Inputs and results are redacted.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createId } from '../../core/id.ts';
import type { Migration } from '../../core/migration.ts';
import { cleanDeep, redact } from '../../core/secret/redact.ts';
import { runSoon } from '../../core/steps.ts';
import { hasExpired } from '../../store/lease.ts';
import { list, type Sql, sql } from '../../store/sql.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { purgeKind } from '../purge/job.ts';

export const operationStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
type OperationState = (typeof operationStates)[number];

export interface Operation {
  id: string;
  /** The kind of work: learn, index … */
  kind: string;
  project: string;
  state: OperationState;
  done: number;
  total: number | undefined;
  message: string;
  /** The result, when it is done. */
  result: unknown;
  /** Why it failed. */
  problem: string | undefined;
  createdAt: number;
  updatedAt: number;
}

/** With its input of up to megabytes, which is not read for progress. */
export interface WholeOperation extends Operation {
  input: unknown;
}

interface OperationRow {
  id: string;
  kind: string;
  project: string;
  state: OperationState;
  done: number;
  total: number | null;
  message: string;
  result: string | null;
  problem: string | null;
  created_at: number;
  updated_at: number;
  /** 1 if the lease of its holder expired. */
  abandoned: number;
}

export interface WholeOperationRow extends OperationRow {
  input: string;
}

export const operationMigration: Migration = {
  id: 'graph/2-operation',
  up: () => [
    sql`create table operation (
      id text primary key, kind text not null, project text not null, state text not null, input text not null,
      done bigint not null, total bigint, message text not null, result text, problem text,
      created_at bigint not null, updated_at bigint not null, holder text not null, held_until bigint not null)`,
    sql`create index operation_open on operation (state, kind, id)`,
    sql`create index operation_of on operation (project, id)`,
  ],
};

/** Without a renewal for this time, in ms, the holder counts as dead. */
export const holdMs = 15_000;

/** How long a finished operation can be read, in ms. */
const keepMs = 30 * 24 * 3_600_000;

/** All columns except the input. */
const columns = sql`id, kind, project, state, done, total, message, result, problem, created_at, updated_at`;

export class Operations {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** When it resolves, the operation is durable and will be done, even if this process dies. */
  async add(kind: string, project: string, input: unknown): Promise<{ id: string }> {
    const id = createId('op');
    const at = this.#store.now();
    const given = JSON.stringify(await runSoon(cleanDeep(input)));
    await nextTurn();
    const insert = sql`insert into operation
        (id, kind, project, state, input, done, message, created_at, updated_at, holder, held_until)
      values (${id}, ${kind}, ${project}, 'queued', ${given}, 0, '', ${at}, ${at}, '', 0)
      on conflict (id) do nothing`;
    // Idempotent.
    const work = async (tx: Transaction) => {
      await tx.run(insert);
      await nextTurn();
      await tx.run(this.#removeOld());
    };
    await this.#store.tx(work, { taken: async () => false });
    return { id };
  }

  async get(id: string): Promise<Operation | undefined> {
    const row = await this.#store.one<OperationRow>(sql`select ${this.#columns()} from operation where id = ${id}`);
    return row && readOperation(row);
  }

  /** Newest first. */
  async recent(projects: readonly string[], limit: number): Promise<Operation[]> {
    const rows = await this.#store.all<OperationRow>(
      sql`select ${this.#columns()} from operation where project in ${list(projects)} order by id desc limit ${limit}`,
    );
    return rows.map(readOperation);
  }

  /** All unfinished operations of a kind. */
  async unfinished(projects: readonly string[], kind: string): Promise<WholeOperation[]> {
    const rows = await this.#store.all<WholeOperationRow>(
      sql`select input, ${this.#columns()} from operation
          where project in ${list(projects)} and kind = ${kind} and state <> 'done' order by id`,
    );
    return rows.map(readWhole);
  }

  /** Takes the oldest operation that is queued or whose holder is dead. */
  async claim(kinds: readonly string[], holder: string): Promise<WholeOperation | undefined> {
    const free = sql`(state = 'queued' or ${this.#isAbandoned()})`;
    // Usually there is none, so the check must not write.
    const waiting = await this.#store.one(
      sql`select id from operation where kind in ${list(kinds)} and ${free} limit 1`,
    );
    if (!waiting) return undefined;
    const row = await this.#store.tx((tx) =>
      tx.one<OperationRow>(
        sql`update operation set state = 'running', holder = ${holder}, held_until = ${this.#store.clock()} + ${holdMs},
              updated_at = ${this.#store.clock()}
            where ${free} and id = (
              select id from operation where kind in ${list(kinds)} and ${free} order by id limit 1)
            returning ${columns}, 0 as abandoned`,
      ),
    );
    if (!row) return undefined;
    // Writing, reading and parsing megabytes takes time.
    await nextTurn();
    const held = await this.#store.one<{ input: string }>(
      sql`select input from operation where id = ${row.id} and holder = ${holder} and state = 'running'`,
    );
    await nextTurn();
    return held && readWhole({ ...row, ...held });
  }

  /**
   * Records the progress and returns whether this process still holds the operation: it may have been cancelled or taken
   * over.
   */
  async report(
    id: string,
    holder: string,
    progress: { done: number; total?: number; message?: string },
  ): Promise<boolean> {
    const clock = this.#store.clock();
    const { done, total, message = '' } = progress;
    const held = await this.#store.run(
      sql`update operation set done = ${done}, total = ${total ?? null}, message = ${redact(message).text}, updated_at = ${clock},
            held_until = ${clock} + ${holdMs}
          where id = ${id} and holder = ${holder} and state = 'running'`,
      { durable: false },
    );
    return held > 0;
  }

  async finish(id: string, holder: string, result: unknown): Promise<void> {
    await this.#end(id, holder, 'done', JSON.stringify(await runSoon(cleanDeep(result ?? null))), null);
  }

  async fail(id: string, holder: string, problem: string): Promise<void> {
    await this.#end(id, holder, 'failed', null, redact(problem).text);
  }

  /** Puts it back into the queue. */
  async release(id: string, holder: string): Promise<void> {
    await this.#store.run(
      sql`update operation set state = 'queued', holder = '', held_until = 0
          where id = ${id} and holder = ${holder} and state = 'running'`,
    );
  }

  /** Returns whether there was anything to cancel. */
  async cancel(id: string): Promise<boolean> {
    const cancelled = await this.#store.run(
      sql`update operation set state = 'cancelled', updated_at = ${this.#store.clock()}
          where id = ${id} and state in ('queued', 'running')`,
    );
    return cancelled > 0;
  }

  /** Finished operations that are no longer needed: an index refers to its operation, and a failed purge can be repeated. */
  #removeOld(): Sql {
    return sql`delete from operation where state in ('done', 'failed', 'cancelled')
      and updated_at < ${this.#store.clock()} - ${keepMs} and (state = 'done' or kind <> ${purgeKind})
      and id not in (select operation from derived_tree)`;
  }

  #columns(): Sql {
    return sql`${columns}, case when ${this.#isAbandoned()} then 1 else 0 end as abandoned`;
  }

  #isAbandoned(): Sql {
    return sql`(state = 'running' and ${hasExpired(this.#store, sql`held_until`, holdMs)})`;
  }

  async #end(id: string, holder: string, state: OperationState, result: string | null, problem: string | null) {
    const update = sql`update operation set state = ${state}, result = ${result}, problem = ${problem},
        updated_at = ${this.#store.clock()}, input = case when ${state} = 'done' then '{}' else input end,
        done = case when ${state} = 'done' and total is not null then total else done end
      where id = ${id} and holder = ${holder} and state = 'running'`;
    const end = (tx: Transaction) => {
      // Purges are reported by their end.
      tx.announce();
      return tx.run(update);
    };
    await this.#store.tx(end, { taken: async () => false });
  }
}

function readWhole(row: WholeOperationRow): WholeOperation {
  return { ...readOperation(row), input: JSON.parse(row.input) };
}

/** If its holder is dead it waits for another, so it is not reported as running. */
function readOperation(row: OperationRow): Operation {
  return {
    id: row.id,
    kind: row.kind,
    project: row.project,
    state: row.abandoned === 1 ? 'queued' : row.state,
    done: row.done,
    total: row.total ?? undefined,
    message: row.message,
    result: row.result === null ? undefined : JSON.parse(row.result),
    problem: row.problem ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
