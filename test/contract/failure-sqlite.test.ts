// What a SQLite file that cannot be used is said to be: one sentence, the proper word, nothing changed and nothing hanging.
import { copyFileSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportLines } from '../../src/graph/dump.ts';
import { type OpenGraph, openGraph } from '../../src/graph/open.ts';
import { refuseDamage } from '../../src/store/damage.ts';
import { sql } from '../../src/store/sql.ts';
import { loadDriver } from '../../src/store/sqlite/driver.ts';
import { writeMemories } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';

const DatabaseSync = loadDriver();
const pageSize = 4096;
const memory = (text: string) => ({ project: 'p', kind: 'memory', text });

let whole: string;

beforeAll(async () => {
  whole = join(createFolder('whole'), 'lore.db');
  await writeMemories(whole, 200);
});

function copyWhole(): string {
  const path = join(createFolder('failure'), 'lore.db');
  copyFileSync(whole, path);
  return path;
}

async function use<T>(path: string, work: (opened: OpenGraph) => Promise<T>, timeoutMs?: number): Promise<T> {
  const opened = await openGraph(path, { timeoutMs });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function readAll({ store }: OpenGraph): Promise<number> {
  let lines = 0;
  for await (const _ of exportLines(store)) lines++;
  return lines;
}

function overwrite(path: string, at: number, length: number): void {
  writeSync(openSync(path, 'r+'), Buffer.alloc(length, 0xa5), 0, length, at);
}

const told = (path: string, state: string) => `Cannot use database "${path}": ${state}`;

describe('a closed database', () => {
  it('is complete in one file', async () => {
    expect(await use(copyWhole(), readAll)).toBeGreaterThan(400);
    await use(copyWhole(), ({ store }) => refuseDamage(store));
  });
});

describe('a damaged file', () => {
  it.each([
    ['with a strange beginning', 'it is damaged, or not a database', (path: string) => overwrite(path, 0, 100)],
    ['cut in half', 'the file is damaged', (path: string) => truncateSync(path, statSync(path).size >> 1)],
    ['cut within its first page', 'the file is damaged', (path: string) => truncateSync(path, 1000)],
    [
      'with strange pages in the middle',
      'the file is damaged',
      (path: string) => {
        for (let at = 20 * pageSize; at < statSync(path).size; at += 3 * pageSize) overwrite(path, at, pageSize);
      },
    ],
  ])('%s is reported and left unchanged', async (_, state, damage) => {
    const path = copyWhole();
    damage(path);
    const before = readFileSync(path);
    await expect(use(path, readAll)).rejects.toMatchObject({ word: 'unavailable', message: told(path, state) });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('is found by a check, wherever it is', async () => {
    const path = copyWhole();
    overwrite(path, statSync(path).size - pageSize, pageSize);
    const looking = use(path, ({ store }) => refuseDamage(store));
    await expect(looking).rejects.toMatchObject({ word: 'unavailable', message: told(path, 'the file is damaged') });
  });

  it('refuses a write without damage', async () => {
    const path = copyWhole();
    for (let at = 4 * pageSize; at < statSync(path).size; at += pageSize) overwrite(path, at, pageSize);
    const writing = use(path, ({ graph }) => graph.put([memory('more')], 'test'));
    await expect(writing).rejects.toMatchObject({ word: 'unavailable', message: told(path, 'the file is damaged') });
  });
});

describe('a file that is not a database', () => {
  it('is recognised', async () => {
    const folder = createFolder('failure');
    await expect(openGraph(folder)).rejects.toMatchObject({
      word: 'invalid_input',
      message: told(folder, 'it is a folder'),
    });
    const inFile = join(copyWhole(), 'lore.db');
    await expect(openGraph(inFile)).rejects.toMatchObject({
      word: 'invalid_input',
      message: told(inFile, 'it is not in a folder'),
    });
  });
});

describe('a database that a newer version has changed', () => {
  it('is not changed', async () => {
    const path = copyWhole();
    await use(path, ({ store }) => store.run(sql`insert into migration (id, applied_at) values ('graph/99', 0)`));
    const before = readFileSync(path);
    await expect(openGraph(path)).rejects.toMatchObject({
      word: 'conflict',
      message: told(path, 'a newer version of Lorekeeper has migrated it'),
      details: { migration: 'graph/99' },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a database that another process holds', () => {
  const held = 'another process holds it';

  it('is readable meanwhile, and writable afterwards', async () => {
    const path = copyWhole();
    const other = new DatabaseSync(path);
    await use(path, async ({ graph }) => {
      other.exec('begin immediate');
      const writing = graph.put([{ id: 'late', ...memory('more') }], 'test');
      expect(await graph.get('m1')).toMatchObject({ id: 'm1' });
      expect(await graph.get('late')).toBeUndefined();
      other.exec('rollback');
      await writing;
      expect(await graph.get('late')).toMatchObject({ id: 'late' });
    });
  });

  it('is reported to all waiting callers at the timeout', async () => {
    const path = copyWhole();
    const other = new DatabaseSync(path);
    const wait = async ({ graph }: OpenGraph) => {
      other.exec('begin immediate');
      // One after another, they would take longer than a test may.
      const writing = Array.from({ length: 60 }, () => graph.put([memory('more')], 'test'));
      for (const outcome of await Promise.allSettled(writing)) {
        expect(outcome).toMatchObject({ reason: { word: 'unavailable', message: told(path, held) } });
      }
      other.exec('rollback');
      await graph.put([{ id: 'again', ...memory('more') }], 'test');
      expect(await graph.get('again')).toBeDefined();
    };
    await use(path, wait, 1_000);
  });

  it('cannot be opened while it is locked exclusively, but afterwards', async () => {
    const path = copyWhole();
    const other = new DatabaseSync(path);
    other.exec('pragma locking_mode = exclusive; begin exclusive; delete from migration where false; commit');
    await expect(use(path, readAll, 300)).rejects.toMatchObject({ word: 'unavailable', message: told(path, held) });
    other.close();
    expect(await use(path, readAll, 300)).toBeGreaterThan(400);
  });

  it('does not prevent closing', async () => {
    const path = copyWhole();
    const other = new DatabaseSync(path);
    const { graph, store, close } = await openGraph(path);
    other.exec('begin immediate');
    const writing = store.run(sql`delete from change`);
    const refused = expect(writing).rejects.toMatchObject({ word: 'unavailable', message: told(path, held) });
    await close();
    await refused;
    const late = graph.put([memory('more')], 'test');
    await expect(late).rejects.toMatchObject({ word: 'unavailable', message: told(path, 'it has been closed') });
  });
});
