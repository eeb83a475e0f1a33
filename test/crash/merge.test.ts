// Nothing acknowledged is lost when many processes merge into the same memories and are killed again and again: no tag, no
// source, no expiry. The statements, which all of them store first, are there once.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Node } from '../../src/graph/node.ts';
import { openGraph } from '../../src/graph/open.ts';
import { sql } from '../../src/store/sql.ts';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { expiryOf, statementOf, statements, tagOf } from './merges.ts';
import { runWriters } from './run-writers.ts';

/** 8 × 500 is what the product promises; the gate does a part of it. */
const writers = Number(process.env.CRASH_WRITERS ?? 4);
const writes = Number(process.env.CRASH_MERGES ?? 25);
const kills = Number(process.env.CRASH_KILLS ?? 2);
const timeout = 3_600_000;

async function expectMerged(location: string): Promise<void> {
  const acknowledged = await runWriters({ program: 'test/crash/merger.ts', location, writers, writes, kills });
  const { graph, store, close } = await openGraph(location);
  const rows = await store.all<{ id: string; text: string }>(sql`select id, text from node where kind = 'memory'`);
  expect(rows.map(({ text }) => text).sort()).toEqual(
    Array.from({ length: statements }, (_, n) => statementOf(n)).sort(),
  );
  const ids = new Map(rows.map(({ id, text }) => [text, id]));
  for (const [text, id] of ids) {
    const node = (await graph.get(id)) as Node;
    const { tags = [], sources = [] } = node.data as { tags?: string[]; sources?: string[] };
    // Each expiry was valid until another change, which recorded it.
    const changes = await graph.history(id);
    const expiries = new Set([node.validTo, ...changes.map(({ before }) => before?.validTo)]);
    const known = { tags: new Set(tags), sources: new Set([node.source, ...sources]) };
    for (const [at, numbers] of acknowledged.entries()) {
      for (const number of numbers) {
        if (statementOf(number) !== text) continue;
        const tag = tagOf(`w${at}`, number);
        expect(known.tags.has(tag), `tag ${tag}`).toBe(true);
        expect(known.sources.has(`source ${tag}`), `source ${tag}`).toBe(true);
        const expiry = expiryOf(`w${at}`, number);
        if (expiry !== undefined) expect(expiries.has(expiry), `expiry of ${tag}`).toBe(true);
      }
    }
  }
  for (const numbers of acknowledged) expect(numbers.size).toBe(writes);
  await close();
}

describe('processes that are killed while they merge into the same memories', () => {
  it('lose nothing on SQLite', { timeout }, async () => {
    await expectMerged(join(createFolder('merge'), 'lore.db'));
  });

  it.skipIf(!hasPostgres)('lose nothing on PostgreSQL', { timeout }, async () => {
    await expectMerged(await createDatabase());
  });
});
