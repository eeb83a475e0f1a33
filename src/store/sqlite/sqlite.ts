// SQLite: one writing and one reading connection, so that nothing outside a transaction sees its rows. Many processes share
// the file; they wait for each other here, without blocking the event loop.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { yieldTurn } from '../../core/steps.ts';
import { closed, toFailure } from '../failure.ts';
import { makePrivate, tighten } from '../private-file.ts';
import { createQueue } from '../queue.ts';
import { type Sql, sql } from '../sql.ts';
import { defaultPatienceMs, type Store, type StoreOptions, type Transaction } from '../store.ts';
import { type Driver, loadDriver } from './driver.ts';
import { isBusy, toFolderFailure, toSqliteFailure } from './failure.ts';

type Statement = ReturnType<InstanceType<Driver>['prepare']>;

/** How long the library itself waits, blocking: long enough for a commit next door, short enough not to be felt. */
const busyMs = 15;
const maxStatements = 200;
/**
 * Whoever finds so many pages in the log brings them into the file before its own write counts. Who writes much lets more
 * come together; who writes a line meanwhile should not have to wait for it.
 */
const logPages = { usual: 1_000, bulk: 6_000, relieved: 20_000 };

export async function openSqlite(path: string, options: StoreOptions = {}): Promise<Store> {
  const { timeoutMs = defaultPatienceMs, bulk = false } = options;
  const inMemory = path === ':memory:';
  if (!inMemory) {
    createFolder(path);
    makePrivate(path);
    for (const end of ['-wal', '-shm']) tighten(path + end);
  }
  let isClosed = false;
  let lastWrite = 0;
  let relieving = 0;

  /** Tries again while another process holds the database, in growing and uneven steps so that none is starved. */
  async function patiently<T>(work: () => T | Promise<T>, since = performance.now()): Promise<T> {
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

  const connect = () => patiently(() => openConnection(path, inMemory, bulk));
  const writer = await connect();
  // A database in memory has one connection; its transactions are kept apart by the queue alone.
  const reader = inMemory ? writer : await connect();
  const enqueue = createQueue();

  function refuseClosed(): void {
    if (isClosed) throw toFailure(closed, path, undefined);
  }

  async function write<T>(work: () => T | Promise<T>): Promise<T> {
    refuseClosed();
    const called = performance.now();
    return enqueue(async () => {
      // Patience is for a database where nothing moves: who waits behind others loses none while they get on, and adds
      // none to theirs when they do not.
      const result = await patiently(work, Math.max(called, lastWrite));
      lastWrite = performance.now();
      return result;
    });
  }

  async function read<Row>(query: Sql): Promise<Row[]> {
    // A query takes no turn of the event loop; hundreds in a row would keep others waiting.
    const pause = yieldTurn();
    if (pause) await pause;
    if (reader === writer) return write(() => writer.all<Row>(query));
    refuseClosed();
    return patiently(() => reader.all<Row>(query));
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
      // A database in memory has one connection, which others write with.
      if (inMemory) return { all: read, close: async () => {} };
      refuseClosed();
      const connection = await connect();
      try {
        connection.exec('begin');
        // The first question decides what is seen.
        await patiently(() => connection.all(sql`select 1 from sqlite_master`));
      } catch (error) {
        connection.close();
        throw error;
      }
      return {
        all: async <Row>(query: Sql) => patiently(() => connection.all<Row>(query)),
        close: async () => connection.close(),
      };
    },
    async dataVersion() {
      // Counts what others commit; for the reader, the writer is another.
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
      // The log has pages as they were before; it cannot be emptied while anybody reads from it.
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
        // SQLite does so itself when the last one closes, but the package keeps a database open while its statements live.
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
  /** Brings what was written into the file itself, where nobody else is at it. */
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
      // A failed commit may already have ended the transaction, and Node before 22.16 does not say so.
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
      // There is one writer at a time.
      lock: async () => {},
    },
    tidy() {
      try {
        database.exec('pragma wal_checkpoint(truncate)');
      } catch {
        // Whoever opens it next will.
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

/** Step by step: Node's own recursion never ends where a file system refuses new folders by saying they do not exist. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
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
