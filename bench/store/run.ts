// One run: for each database and size a graph and a bare table with the same notes, measured in turns.
import { join } from 'node:path';
import { type OpenGraph, openGraph } from '../../src/graph/open.ts';
import { rankFrom, walkFrom } from '../../src/graph/walk.ts';
import { analyzeQuery } from '../../src/search/analyze.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { createStaticEmbedder, type TableEmbedder } from '../../src/search/embed.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { sql } from '../../src/store/sql.ts';
import { type Bare, openBare } from './bare.ts';
import { createRandom, writeNote, writeQuestion } from './corpus.ts';
import { createDatabase, startServer } from './postgres.ts';
import { type Race, race, type Timing, time } from './timing.ts';

interface RunOptions {
  root: string;
  folder: string;
  sizes: readonly number[];
  engines: readonly string[];
}

interface Row extends Race {
  engine: string;
  nodes: number;
  measure: string;
}

const scope = { projects: ['p'] };
/** Reading all vectors out of the engine takes seconds beyond. */
const maxVectorScan = 100_000;
const rounds = 60;
const batch = 1_000;

export async function run({ root, folder, sizes, engines }: RunOptions): Promise<Row[]> {
  const embedder = createStaticEmbedder(join(root, 'assets/embedding.bin'));
  const rows: Row[] = [];
  for (const engine of engines) {
    const server = engine === 'postgres' ? await startServer() : undefined;
    if (engine === 'postgres' && !server) {
      console.log('Skipped postgres: this machine has no server programs');
      continue;
    }
    for (const nodes of sizes) {
      const place = (name: string) =>
        server ? createDatabase(server.url, `${name}_${nodes}`) : join(folder, `${name}-${nodes}.db`);
      rows.push(
        ...(await measureSize({ engine, nodes, ours: await place('ours'), bare: await place('bare'), embedder })),
      );
    }
    await server?.stop();
  }
  return rows;
}

interface Place {
  engine: string;
  nodes: number;
  ours: string;
  bare: string;
  embedder: TableEmbedder;
}

async function measureSize({ engine, nodes, ours, bare: bareAt, embedder }: Place): Promise<Row[]> {
  const opened = await openGraph(ours);
  const bare = await openBare(bareAt);
  const rows: Row[] = [];
  const add = (measure: string, timings: Race) => {
    rows.push({ engine, nodes, measure, ...timings });
    console.log(describe(rows.at(-1) as Row));
  };
  try {
    const perNode = await fill(opened, bare, embedder, nodes);
    add('insert, a thousand at a time (ms a node)', perNode);
    await searches(opened, bare, embedder, nodes, add);
    await singles(opened, bare, embedder, add);
  } finally {
    await opened.close();
    await bare.close();
  }
  const empty = `${ours}${engine === 'sqlite' ? '.empty' : ''}`;
  add('open', await race(20, () => reopen(ours), engine === 'sqlite' ? () => reopen(empty) : undefined));
  return rows;
}

async function fill(opened: OpenGraph, bare: Bare, embedder: TableEmbedder, nodes: number) {
  const random = createRandom(1);
  const spent = { ours: 0, bare: 0, compact: 0 };
  for (let done = 0; done < nodes; done += batch) {
    const texts = Array.from({ length: Math.min(batch, nodes - done) }, () => writeNote(random));
    let links: { id: string; links: string[] }[] = [];
    spent.ours += await time(async () => {
      const put = await opened.graph.put(
        texts.map((text) => ({ project: 'p', kind: 'memory', text })),
        'bench',
      );
      links = put.map(({ id }, at) => ({ id, links: at > 0 ? [(put[at - 1] as { id: string }).id] : [] }));
    });
    const vectors = embedder.embed(texts);
    spent.bare += await time(() =>
      bare.put(links.map((note, at) => ({ ...note, text: texts[at] as string, vector: vectors[at] as Int8Array }))),
    );
    spent.compact += await time(async () => {
      while (await compactIndex(opened.store));
    });
  }
  console.log(`compacting took ${(spent.compact / nodes).toFixed(3)} ms a node beside it`);
  const timing = (ms: number) => ({ p50: ms / nodes, p95: ms / nodes });
  return { ours: timing(spent.ours), bare: timing(spent.bare) };
}

type Add = (measure: string, timings: Race) => void;

async function searches({ graph, store }: OpenGraph, bare: Bare, embedder: TableEmbedder, nodes: number, add: Add) {
  const index = new SearchIndex(store);
  const questions = cycle(1_000, () => writeQuestion);
  const vectorOf = (query: string) => embedder.embed([query])[0] as Int8Array;
  const cold = await time(() => graph.find({ query: questions(), ...scope }));
  add('hybrid, the first after opening', { ours: { p50: cold, p95: cold }, bare: undefined });
  for (let round = 0; round < 20; round++) await graph.find({ query: questions(), ...scope });
  let query = '';
  add(
    'text',
    await race(
      rounds,
      () => {
        query = questions();
        return index.find({ terms: analyzeQuery(query), scope, limit: 10 });
      },
      () => bare.findText(query),
    ),
  );
  const scans = nodes <= maxVectorScan;
  add(
    'vector',
    await race(
      scans ? 10 : rounds,
      () => {
        query = questions();
        return index.find({ meaning: { vector: vectorOf(query), model: embedder.id }, scope, limit: 10 });
      },
      scans ? () => bare.findVector(vectorOf(query)) : undefined,
    ),
  );
  add('hybrid, with the nodes', await race(rounds, () => graph.find({ query: questions(), ...scope })));
  const seeds = await store.all<{ id: string }>(
    sql`select from_id as id from edge where kind = 'mentions' order by from_id limit ${rounds}`,
  );
  let at = 0;
  add(
    'walk, two hops, ranked',
    await race(
      rounds,
      async () => {
        const from = (seeds[at++ % seeds.length] as { id: string }).id;
        return rankFrom(new Map([[from, 1]]), (await walkFrom(store, [from], 2)).steps);
      },
      () => bare.walk((seeds[(at - 1) % seeds.length] as { id: string }).id),
    ),
  );
}

async function singles({ graph }: OpenGraph, bare: Bare, embedder: TableEmbedder, add: Add) {
  const random = createRandom(77);
  let text = '';
  let count = 0;
  add(
    'a durable write',
    await race(
      200,
      () => {
        text = writeNote(random);
        return graph.put([{ project: 'p', kind: 'memory', text }], 'bench');
      },
      () => bare.put([{ id: `single${count++}`, text, vector: embedder.embed([text])[0] as Int8Array, links: [] }]),
    ),
  );
}

async function reopen(location: string): Promise<void> {
  await (await openGraph(location)).close();
}

function cycle(seed: number, write: () => (random: () => number) => string): () => string {
  const random = createRandom(seed);
  return () => write()(random);
}

function describe({ engine, nodes, measure, ours, bare }: Row): string {
  const figure = ({ p50, p95 }: Timing) => `${p50.toFixed(2)} (p95 ${p95.toFixed(2)})`;
  const beside = bare ? ` | bare ${figure(bare)} | ${(ours.p50 / bare.p50).toFixed(2)}x` : '';
  return `${engine} ${nodes} | ${measure} | ${figure(ours)} ms${beside}`;
}
