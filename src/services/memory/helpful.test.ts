// How the judgement of the deep stage and that of words and meaning are combined.
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolders } from '../../../test/support/folder.ts';
import { Graph } from '../../graph/graph.ts';
import { graphMigrations } from '../../graph/tables.ts';
import type { DeepStage } from '../../search/rank/rerank.ts';
import { migrate } from '../../store/migrate.ts';
import { openSqlite } from '../../store/sqlite/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { judgeMemories } from './helpful.ts';
import { helpfulFrom, weighJudgement } from './relevance.ts';

let store: Store | undefined;
afterEach(() => store?.close());
afterAll(removeFolders);

const facts = ['The gateway listens on port 8443.', 'The gateway was rewritten by Ann.', 'Deploys go out on Tuesdays.'];

/** The relevance of each fact; the deep stage reads them in the order of words and meaning. */
async function judge(deep: DeepStage): Promise<Map<string, { fast: number; deep?: number }>> {
  store = await openSqlite(join(createFolder('helpful'), 'lore.db'));
  await migrate(store, graphMigrations);
  const graph = new Graph({ store, openDeep: () => deep });
  const data = { kind: 'semantic', knowledge: 'note' };
  await graph.put(
    facts.map((text) => ({ project: 'p', kind: 'memory', text, data })),
    'ann',
  );
  const judged = await judgeMemories(graph, { prompt: 'which port does the gateway use', projects: ['p'] });
  return new Map(judged.map(({ node, ...judgement }) => [node.text, judgement]));
}

const trained = { fusion: { fast: 1, deep: 1 } };

describe('judgeMemories', () => {
  it('has the relevance of each memory that the deep stage has read', async () => {
    const judged = await judge(async (_, pairs) => ({
      ...trained,
      scores: Float32Array.from(pairs, ({ text }) => (text.includes('8443') ? 3 : Number.NaN)),
      relevance: Float32Array.from(pairs, () => 7),
    }));
    expect(judged.get(facts[0] as string)?.deep).toBe(7);
    expect(judged.get(facts[1] as string)).not.toHaveProperty('deep');
    expect(judged.get(facts[1] as string)?.fast).toBeGreaterThan(0);
  });

  it('judges by words and meaning alone if the deep stage fails', async () => {
    expect((await judge(async () => undefined)).get(facts[0] as string)).not.toHaveProperty('deep');
  });
});

describe('weighJudgement', () => {
  it('lets the deep stage overrule words and meaning, in both directions', () => {
    expect(weighJudgement({ fast: 0.6, deep: -3, isTalk: false })).toBeLessThan(helpfulFrom);
    expect(weighJudgement({ fast: 0.2, deep: 3, isTalk: false })).toBeGreaterThan(helpfulFrom);
  });

  it('demands more of a turn of a conversation', () => {
    expect(weighJudgement({ fast: 0.4, deep: 1, isTalk: false })).toBeGreaterThan(helpfulFrom);
    expect(weighJudgement({ fast: 0.4, deep: 1, isTalk: true })).toBeLessThan(helpfulFrom);
  });

  it('judges what the deep stage has not read by words and meaning', () => {
    expect(weighJudgement({ fast: 0.4, isTalk: false })).toBe(0.4);
  });
});
