// SQLite: one connection for writing and one for reading, so that uncommitted rows are visible only in their transaction. Many
// processes share the file; waiting for each other does not block the event loop.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { yieldTurn } from '../../core/steps.ts';
import { closed, toFailure } from '../failure.ts';
import { makePrivate, tighten } from '../private-file.ts';
import { createQueue } from '../queue.ts';
import { type Sql, sql } from '../sql.ts';
import { defaultTimeoutMs, type Store, type StoreOptions, type Transaction } from '../store.ts';
import { type Driver, loadDriver } from './driver.ts';
import { isBusy, toFolderFailure, toSqliteFailure } from './failure.ts';

type Statement = ReturnType<InstanceType<Driver>['prepare']>;

/** SQLite's own busy timeout, which blocks: long enough for another process's commit, too short to notice. */
const busyMs = 15;
const maxStatements = 200;
/**
 * WAL pages that trigger a checkpoint, which delays the current write. Bulk writers allow more, and other writers then
 * leave the checkpoint to them.
 */
const logPages = { usual: 1_000, bulk: 6_000, relieved: 20_000 };

export async function openSqlite(path: string, options: StoreOptions = {}): Promise<Store> {
  const { timeoutMs = defaultTimeoutMs, bulk = false } = options;
  const inMemory = path === ':memory:';
  if (!inMemory) {
    createFolder(path);
    makePrivate(path);
    for (const end of ['-wal', '-shm']) tighten(path + end);
  }
  let isClosed = false;
  let lastWrite = 0;
  let relieving = 0;

  /** Retries while another process holds the database, with growing random delays so that no process starves. */
  async function retryWhileBusy<T>(work: () => T | Promise<T>, since = performance.now()): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        return await work();
      } catch (error) {
        const isOver = isClosed || performance.now() > since + timeoutMs;
        if (!isBusy(error) || isOver) throw toSqliteFailure(error, path);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(round * 2, 50)));
      }
    }
  }

  const connect = () => retryWhileBusy(() => openConnection(path, inMemory, bulk));
  const writer = await connect();
  // An in-memory database has one connection; only the queue separates its transactions.
  const reader = inMemory ? writer : await connect();
  const enqueue = createQueue();

  function refuseClosed(): void {
    if (isClosed) throw toFailure(closed, path, undefined);
  }

  async function write<T>(work: () => T | Promise<T>): Promise<T> {
    refuseClosed();
    const called = performance.now();
    return enqueue(async () => {
      // The timeout counts time without progress: it does not run while earlier writes succeed, and is not added to theirs
      // when they fail.
      const result = await retryWhileBusy(work, Math.max(called, lastWrite));
      lastWrite = performance.now();
      return result;
    });
  }

  async function read<Row>(query: Sql): Promise<Row[]> {
    // Queries are synchronous; hundreds in a row would block other clients.
    const pause = yieldTurn();
    if (pause) await pause;
    if (reader === writer) return write(() => writer.all<Row>(query));
    refuseClosed();
    return retryWhileBusy(() => reader.all<Row>(query));
  }

  async function runTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    writer.exec('begin immediate');
    try {
      const result = await work(writer.transaction);
      writer.exec('commit');
      return result;
    } catch (error) {
      writer.rollback();
      throw error;
    }
  }

  return {
    dialect: 'sqlite',
    location: path,
    all: read,
    one: async <Row>(query: Sql) => (await read<Row>(query))[0],
    run: (query, { durable = true } = {}) => write(() => (durable ? writer.run(query) : writer.runUnsynced(query))),
    tx: (work) => write(() => runTransaction(work)),
    async snapshot() {
      // An in-memory database has one connection, which also writes.
      if (inMemory) return { all: read, close: async () => {} };
      refuseClosed();
      const connection = await connect();
      try {
        connection.exec('begin');
        // The first query determines the snapshot.
        await retryWhileBusy(() => connection.all(sql`select 1 from sqlite_master`));
      } catch (error) {
        connection.close();
        throw error;
      }
      return {
        all: async <Row>(query: Sql) => retryWhileBusy(() => connection.all<Row>(query)),
        close: async () => connection.close(),
      };
    },
    async dataVersion() {
      // Counts commits of other connections; the writer is another connection for the reader.
      if (reader === writer) return undefined;
      const [row] = await read<{ data_version: number }>(sql`pragma data_version`);
      return row?.data_version;
    },
    now: () => Date.now(),
    clock: machineClock,
    relieve(until) {
      const set = (pages: number) => !isClosed && writer.exec(`pragma wal_autocheckpoint = ${pages}`);
      const end = () => --relieving === 0 && set(logPages.usual);
      if (relieving++ === 0) set(logPages.relieved);
      until.then(end, end);
    },
    async compact() {
      await write(() => writer.exec('vacuum'));
      if (inMemory) return true;
      // The WAL contains old versions of pages, and cannot be truncated while anyone reads it.
      for (const until = performance.now() + timeoutMs; ; ) {
        const [row] = await write(() => writer.all<{ busy: number }>(sql`pragma wal_checkpoint(truncate)`));
        if (row?.busy === 0 || performance.now() > until) return row?.busy === 0;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await enqueue(async () => {
        if (reader !== writer) reader.close();
        // SQLite does this when the last connection closes, but the package keeps the database open while its statements
        // exist.
        writer.tidy();
        writer.close();
      });
    },
  };
}

interface Connection {
  all<Row>(query: Sql): Row[];
  run(query: Sql): number;
  /** Without waiting for the disk. */
  runUnsynced(query: Sql): number;
  exec(text: string): void;
  rollback(): void;
  /** Truncates the WAL, if no other process uses it. */
  tidy(): void;
  readonly transaction: Transaction;
  close(): void;
}

function openConnection(path: string, inMemory: boolean, bulk: boolean): Connection {
  const statements = new Map<string, Statement>();
  const database = new (loadDriver())(path);
  try {
    database.exec(`pragma busy_timeout = ${busyMs}`);
    if (!inMemory) database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -32768');
    database.exec(`pragma wal_autocheckpoint = ${bulk ? logPages.bulk : logPages.usual}`);
    if (bulk) database.exec('pragma synchronous = normal; pragma cache_size = -16384');
  } catch (error) {
    database.close();
    throw error;
  }

  function prepare(query: Sql): Statement {
    const text = query.text(() => '?');
    let statement = statements.get(text);
    if (!statement) {
      if (statements.size >= maxStatements) statements.clear();
      statement = database.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  }

  const connection: Connection = {
    all: <Row>(query: Sql) => prepare(query).all(...(query.values as never[])) as Row[],
    run: (query) => Number(prepare(query).run(...(query.values as never[])).changes),
    runUnsynced(query) {
      database.exec('pragma synchronous = normal');
      try {
        return connection.run(query);
      } finally {
        if (!bulk) database.exec('pragma synchronous = full');
      }
    },
    exec: (text) => database.exec(text),
    rollback() {
      // A failed commit may have ended the transaction; Node before 22.16 does not report it.
      if (database.isTransaction === false) return;
      try {
        database.exec('rollback');
      } catch (error) {
        if (database.isTransaction) throw error;
      }
    },
    transaction: {
      dialect: 'sqlite',
      all: async <Row>(query: Sql) => connection.all<Row>(query),
      one: async <Row>(query: Sql) => connection.all<Row>(query)[0],
      run: async (query) => connection.run(query),
      clock: machineClock,
      // There is only one writer at a time.
      lock: async () => {},
      announce() {},
    },
    tidy() {
      try {
        database.exec('pragma wal_checkpoint(truncate)');
      } catch {
        // The next process to open it will.
      }
    },
    close() {
      statements.clear();
      database.close();
    },
  };
  return connection;
}

/** All processes that share the file are on one machine. */
function machineClock(): Sql {
  return sql`${Date.now()}`;
}

/** Creates one level at a time: Node's recursive mkdir loops forever if the file system refuses new folders with ENOENT. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function createFolder(path: string): void {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    throw toFolderFailure(error, path);
  }
}
