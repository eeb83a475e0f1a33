// Wakes the other processes of a database after a change. NOTIFY has a connection of its own and is sent at once, but at most
// every 50 ms: inside a transaction it would make all commits of the database wait for each other. A wake-up can be lost, so
// listeners also look from time to time.
import { coalesce } from '../../core/coalesce.ts';
import { createId } from '../../core/id.ts';
import { createQueue } from '../queue.ts';

export interface Wake {
  /** Tells the others soon. */
  announce(): void;
  /** Calls back when another process has announced something, or may have, until the returned function is called. */
  listen(listener: () => void): () => void;
  /** Sends what was announced. */
  close(): Promise<void>;
}

interface WakeConnection {
  readonly lost: boolean;
  query(text: string, values: readonly unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
}

const apartMs = 50;
const retryMs = 1_000;

export function createWake(open: (onNotify: (payload: string) => void) => Promise<WakeConnection>): Wake {
  const own = createId('own');
  const listeners = new Set<() => void>();
  const enqueue = createQueue();
  let connection: WakeConnection | undefined;
  let isListening = false;
  let retrying: NodeJS.Timeout | undefined;

  const wakeAll = () => {
    for (const listener of listeners) listener();
  };

  async function connect(): Promise<WakeConnection> {
    if (connection && !connection.lost) return connection;
    isListening = false;
    await connection?.close();
    connection = await open((payload) => payload !== own && wakeAll());
    return connection;
  }

  /** The tables of a process are in one schema; others need not wake for them. */
  async function listen(): Promise<void> {
    const { query } = await connect();
    if (isListening || listeners.size === 0) return;
    const [row] = (await query(`select format('listen %I', ${channel}) as text`, [])).rows;
    await query((row as { text: string }).text, []);
    isListening = true;
    // Something may have been announced before.
    wakeAll();
  }

  async function send(): Promise<void> {
    const { query } = await connect();
    await query(`select pg_notify(${channel}, $1)`, [own]);
  }

  const sending = coalesce(() => enqueue(send), apartMs);
  /** A failure is repaired by the next attempt. */
  const tryListening = () => void enqueue(listen).catch(() => {});

  return {
    announce: sending.request,
    listen(listener) {
      listeners.add(listener);
      tryListening();
      retrying ??= setInterval(() => {
        if (listeners.size > 0 && (!isListening || connection?.lost)) tryListening();
      }, retryMs).unref();
      return () => void listeners.delete(listener);
    },
    async close() {
      clearInterval(retrying);
      listeners.clear();
      await sending.flush();
      await enqueue(async () => connection?.close());
    },
  };
}

const channel = `'lore_' || current_schema()`;
