// Indexing a repository survives a kill half-way: the next processes go on, only one of them does it, and the index is the
// same as one that was made in peace.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { openGraph } from '../../src/graph/open.ts';
import { identifyFolder } from '../../src/graph/project/project.ts';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { createFolder } from '../support/folder.ts';
import { spawnLore } from '../support/lore.ts';

const files = 400;
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

function writeFiles(): string {
  const folder = createFolder('code');
  for (let n = 0; n < files; n++) {
    const next = (n + 1) % files;
    writeFileSync(
      join(folder, `walrus${n}.ts`),
      `import { feed${next} } from './walrus${next}.ts';\n\n/** Feeds walrus ${n}. */\nexport function feed${n}(): void {\n  feed${next}();\n}\n\nexport class Walrus${n} {\n  eat(): void {\n    feed${n}();\n  }\n}\n`,
    );
  }
  return folder;
}

/** A server that takes up what waits as soon as it is asked anything. */
function startServer(database: string, folder: string) {
  const child = spawnLore(['stdio'], { LORE_DB: database }, folder);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const send = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })}\n`);
    return JSON.parse((await answers.next()).value as string);
  };
  ending.push(() => child.kill('SIGKILL'));
  return {
    child,
    call: (name: string, args: object) => send('tools/call', { name, arguments: args }),
    begin: () =>
      send('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
  };
}

async function countAll(database: string) {
  const store = await openStore(database);
  ending.push(() => store.close());
  const count = async (text: ReturnType<typeof sql>) => (await store.one<{ n: number }>(text))?.n;
  return {
    nodes: await count(sql`select count(*) as n from node where kind in ('file', 'symbol')`),
    edges: await count(sql`select count(*) as n from edge where kind in ('contains', 'calls', 'imports')`),
    names: await count(sql`select count(*) as n from derived_name`),
    documents: await count(sql`select count(*) as n from document where kind in ('file', 'symbol')`),
  };
}

describe('a process that is killed while it indexes', () => {
  it('is continued by one of two others, without duplicates', async () => {
    const folder = writeFiles();
    const [database, peaceful] = ['killed.db', 'peaceful.db'].map((name) => join(createFolder('index'), name)) as [
      string,
      string,
    ];
    const { operations, store, close } = await openGraph(database);
    ending.push(close);
    const latest = async () => (await operations.recent([identifyFolder(folder).claim], 1))[0];

    const first = startServer(database, folder);
    await first.begin();
    first.call('index_repository', {}).catch(() => {});
    await expect.poll(async () => (await latest())?.done ?? 0, { interval: 5 }).toBeGreaterThanOrEqual(files / 2);
    first.child.kill('SIGKILL');
    expect(await latest()).toMatchObject({ state: 'running' });

    // The time for which the dead one held it has run out.
    await store.run(sql`update operation set held_until = 0`);
    for (const server of [startServer(database, folder), startServer(database, folder)]) {
      await server.begin();
      await server.call('status', {});
    }
    await expect.poll(async () => (await latest())?.state).toBe('done');
    expect((await latest())?.result).toMatchObject({ files });

    const other = startServer(peaceful, folder);
    await other.begin();
    await other.call('index_repository', {});
    const { operations: theirs, close: closeOther } = await openGraph(peaceful);
    ending.push(closeOther);
    const state = async () => (await theirs.recent([identifyFolder(folder).claim], 1))[0]?.state;
    await expect.poll(state).toBe('done');
    expect(await countAll(database)).toEqual(await countAll(peaceful));
  });
});
