// Ingesting a folder survives a kill half-way: the next processes go on where it stopped, each document is there once, and
// the result tells of all of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openGraph } from '../../src/graph/open.ts';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { bundle } from '../support/bundle.ts';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';

const files = 600;
const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

function writeFiles(): string {
  const folder = createFolder('documents');
  for (let n = 0; n < files; n++) {
    const parts = [1, 2, 3].map(
      (part) => `## Part ${part}\n\n${`Walrus ${n} likes clams of sort ${part}. `.repeat(20)}`,
    );
    writeFileSync(join(folder, `walrus-${n}.md`), `# Walrus ${n}\n\n${parts.join('\n\n')}\n`);
  }
  return folder;
}

async function start(location: string) {
  const program = await bundle('test/crash/ingester.ts', { format: 'esm', packages: 'external' });
  const child = spawn(process.execPath, [program, location], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  ending.push(kill);
  return kill;
}

async function survive(location: string): Promise<void> {
  const { graph, operations, close } = await openGraph(location);
  ending.push(close);
  await graph.put([{ id: 'col', project: 'p', kind: 'collection', title: 'docs', text: '' }], 'ann');
  const input = { collection: 'col', collection_name: 'docs', actor: 'ann', root: writeFiles(), folder: '' };
  const { id } = await operations.add('ingest', 'p', input);
  const progress = async () => (await operations.get(id))?.done ?? 0;

  const kill = await start(location);
  await expect.poll(progress, { interval: 5 }).toBeGreaterThanOrEqual(files / 2);
  await kill();
  expect(await operations.get(id)).toMatchObject({ state: 'running' });
  expect(await progress()).toBeLessThan(files);

  const store = await openStore(location);
  ending.push(() => store.close());
  // The time for which the dead one held it has run out.
  await store.run(sql`update operation set held_until = 0`);
  await Promise.all([start(location), start(location)]);
  const state = async () => (await operations.get(id))?.state;
  await expect.poll(state).toBe('done');

  const { result } = (await operations.get(id)) ?? {};
  expect(result).toMatchObject({ added: files, replaced: 0, unchanged: 0, gone: 0, chunks: files * 3 });
  const counts = await store.all<{ kind: string; n: number }>(
    sql`select kind, count(*) as n from node where project = 'col' and kind <> 'entity' group by kind order by kind`,
  );
  expect(counts.map(({ kind, n }) => [kind, Number(n)])).toEqual([
    ['chunk', files * 3],
    ['document', files],
  ]);
}

describe('a process that is killed while it ingests', () => {
  it('is continued without duplicates on SQLite', async () => {
    await survive(join(createFolder('ingest'), 'lore.db'));
  });

  it.skipIf(!hasPostgres)('is continued without duplicates on PostgreSQL', async () => {
    await survive(await createDatabase());
  });
});
