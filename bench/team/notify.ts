// What the wake-ups of other processes cost: the same writes with and without them, in turn, on one database.
import { openGraphOn } from '../../src/graph/open.ts';
import { connectPostgres } from '../../src/store/postgres/client.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres.ts';

const rounds = 12;
const writesEach = 30;

export async function compareThroughput(url: string, writers: number) {
  const [withNotify, without] = [await open(url, true), await open(url, false)];
  // A listener, so that notifications are delivered to somebody.
  const listening = await open(url, true);
  let woken = 0;
  listening.store.onWake?.(() => {
    woken++;
  });
  const pairs: { with: number; without: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const pair = { with: 0, without: 0 };
    // The order alternates, because the machine's load changes.
    const order = [
      ['with', withNotify],
      ['without', without],
    ] as const;
    for (const [name, opened] of round % 2 === 0 ? order : [...order].reverse())
      pair[name] = await write(opened, writers, `${name}-${round}`);
    // The first one warms up.
    if (round > 0) pairs.push(pair);
  }
  await Promise.all([withNotify, without, listening].map((one) => one.close()));
  return {
    writesPerSecond: Math.round(median(pairs.map((pair) => pair.with))),
    withoutNotify: Math.round(median(pairs.map((pair) => pair.without))),
    ratio: Math.round(median(pairs.map((pair) => pair.with / pair.without)) * 100) / 100,
    pairs: pairs.length,
    woken,
  };
}

async function open(url: string, notifies: boolean) {
  const { wake, ...client } = await connectPostgres(url, { timeoutMs: 30_000, connectMs: 5_000 });
  return openGraphOn(await createPostgresStore(notifies && wake ? { ...client, wake } : client, 'bench'));
}

async function write({ graph }: Awaited<ReturnType<typeof open>>, writers: number, name: string): Promise<number> {
  const start = performance.now();
  const one = async (writer: number) => {
    for (let at = 0; at < writesEach; at++)
      await graph.put([{ project: `p${writer}`, kind: 'memory', text: `${name} ${writer} ${at}` }], 'bench');
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)));
  return (writers * writesEach * 1000) / (performance.now() - start);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
