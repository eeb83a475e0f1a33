// A fresh database with conversations in it, as a memory tool would put them: a node a session and a node a turn.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Embedder, type Found, Graph } from '../../src/graph/graph.ts';
import type { NewNode } from '../../src/graph/node.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { gather } from '../../src/search/gather.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import type { Hits } from './rank.ts';

export interface Place {
  folder: string;
  embedder: Embedder | undefined;
}

export interface Session {
  /** In words, for the title: questions name dates. */
  date?: string;
  at?: number;
  turns: readonly { speaker?: string; text: string }[];
}

const project = 'bench';
const batch = 500;
let opened = 0;

/** Puts the sessions, lets questions be asked of them, and leaves nothing behind. */
export async function withShelf<T>(
  { folder, embedder }: Place,
  sessions: readonly Session[],
  ask: (find: (query: string, limit?: number) => Promise<Hits>) => Promise<T>,
): Promise<T> {
  const path = join(folder, `shelf-${opened++}.db`);
  const store = await openSqlite(path);
  try {
    await migrate(store, graphMigrations);
    const graph = new Graph({ store, ...(embedder && { embedder }) });
    const nodes = toNodes(sessions);
    for (let at = 0; at < nodes.length; at += batch) await graph.put(nodes.slice(at, at + batch), 'bench');
    while (await gather(store));
    const groups = sessions.flatMap(({ turns }, session) => turns.map(() => session));
    return await ask(async (query, limit = nodes.length) => {
      const turns = await graph.find({ query, projects: [project], kinds: ['turn'], limit });
      const whole = await graph.find({ query, projects: [project], kinds: ['session'], limit });
      return { groups, turns: spreadOut(turns, groups.length), sessions: spreadOut(whole, sessions.length) };
    });
  } finally {
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  }
}

/** Each node knows its place among the nodes of its kind. */
function toNodes(sessions: readonly Session[]): NewNode[] {
  let places = 0;
  return sessions.flatMap(({ date, at, turns }, number) => {
    const shared = { project, ...(at !== undefined && { validFrom: at }) };
    const text = turns.map((turn) => (turn.speaker ? `${turn.speaker}: ${turn.text}` : turn.text)).join('\n');
    return [
      { ...shared, kind: 'session', title: date ?? '', text, data: { place: number } },
      ...turns.map((turn) => {
        const title = [turn.speaker, date].filter(Boolean).join(', ');
        return { ...shared, kind: 'turn', title, text: turn.text, data: { place: places++ } };
      }),
    ];
  });
}

/** By place; what was not found has no score. */
function spreadOut(found: readonly Found[], count: number): Hits['turns'] {
  const hits = Array.from({ length: count }, () => ({ score: 0, text: 0, vector: 0 }));
  for (const { node, score, text, vector } of found) hits[node.data.place as number] = { score, text, vector };
  return hits;
}
