// A small pool of connections. A lost connection is not used again.

export interface PoolConnection {
  readonly lost: boolean;
  close(): Promise<void>;
}

interface Pool<C extends PoolConnection> {
  take(): Promise<C>;
  release(connection: C): void;
  end(): Promise<void>;
}

const idleMs = 60_000;
/** Longest wait for running queries at the end, in ms. */
const endMs = 2_000;

export function createPool<C extends PoolConnection>(open: () => Promise<C>, max: number): Pool<C> {
  const all = new Set<C>();
  /** The most recently used is last and is taken first, so that the others can expire. */
  const idle: { connection: C; since: number }[] = [];
  const waiting: ((connection: C | undefined) => void)[] = [];
  let opening = 0;
  let ended = false;
  let onDrained = () => {};

  const sweeping = setInterval(() => {
    while (idle[0] && performance.now() - idle[0].since > idleMs)
      void drop((idle.shift() as { connection: C }).connection);
  }, idleMs / 2).unref();

  /** A waiting caller may then open another. */
  function drop(connection: C): Promise<void> {
    all.delete(connection);
    if (all.size === 0) onDrained();
    waiting.shift()?.(undefined);
    return connection.close();
  }

  async function openOne(): Promise<C> {
    opening++;
    try {
      const connection = await open();
      all.add(connection);
      return connection;
    } catch (error) {
      waiting.shift()?.(undefined);
      throw error;
    } finally {
      opening--;
    }
  }

  return {
    async take() {
      for (;;) {
        if (ended) throw Object.assign(new Error('the pool has ended'), { code: 'POOL_ENDED' });
        const last = idle.pop();
        const connection =
          last?.connection ??
          (all.size + opening < max
            ? await openOne()
            : await new Promise<C | undefined>((resolve) => {
                waiting.push(resolve);
              }));
        if (!connection) continue;
        if (!connection.lost && !ended) return connection;
        void drop(connection);
      }
    },
    release(connection) {
      if (connection.lost || ended) return void drop(connection);
      const next = waiting.shift();
      if (next) next(connection);
      else idle.push({ connection, since: performance.now() });
    },
    async end() {
      ended = true;
      clearInterval(sweeping);
      for (const resolve of waiting.splice(0)) resolve(undefined);
      await Promise.all(idle.splice(0).map(({ connection }) => drop(connection)));
      if (all.size > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, endMs);
          onDrained = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      await Promise.all([...all].map(drop));
    },
  };
}
