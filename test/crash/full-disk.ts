// Fills the disk that its database lies on, and says what it met: run on a small disk of its own.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoreError } from '../../src/core/error.ts';
import { openGraph } from '../../src/graph/open.ts';
import { sql } from '../../src/store/sql.ts';

const folder = process.argv[2] as string;
const ballast = join(folder, 'ballast');
const location = join(folder, 'lore.db');

writeFileSync(ballast, Buffer.alloc(2_000_000));
const { graph, close } = await openGraph(location);
const acknowledged: string[] = [];

/** Writes until it is refused, and returns the refusal. */
async function writeUntilRefused(prefix: string): Promise<unknown> {
  for (let number = 0; ; number++) {
    const id = `${prefix}${number}`;
    try {
      await graph.put([{ id, project: 'p', kind: 'memory', text: `fact ${id} `.repeat(200) }], 'test');
      acknowledged.push(id);
    } catch (error) {
      if (!(error instanceof LoreError)) throw error;
      const { word, message, hint } = error;
      return { word, message, hint };
    }
  }
}

async function countKept(): Promise<number> {
  return (await graph.getAll(acknowledged)).length;
}

const refusals = [await writeUntilRefused('a'), await writeUntilRefused('b')];
const whileFull = { acknowledged: acknowledged.length, kept: await countKept() };
const found = (await graph.find({ query: 'fact a1', projects: ['p'] })).length;
rmSync(ballast);
refusals.push(await writeUntilRefused('c'));
const afterRoom = { acknowledged: acknowledged.length, kept: await countKept() };
await close();

const again = await openGraph(location);
const kept = (await again.graph.getAll(acknowledged)).length;
const check = await again.store.one(sql`pragma integrity_check`);
await again.close();
process.stdout.write(JSON.stringify({ refusals, whileFull, found, afterRoom, reopened: { kept, check } }));
