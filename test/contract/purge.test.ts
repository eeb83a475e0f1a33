// Purging: nothing of an entry is left, in no table and no file, and everything else stays.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller, personCaller } from '../../src/core/call.ts';
import { openGraphOn } from '../../src/graph/open.ts';
import { purge } from '../../src/graph/purge/purge.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { list, sql } from '../../src/store/sql.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const tables = [sql`node`, sql`edge`, sql`change`, sql`operation`, sql`fresh`, sql`posting`];
/** A word that no other text has, as it is stored and as it is indexed. */
const word = 'zqxbat';

describe.each(createDatabases())('purging on $name', (database) => {
  let services: Services;
  let folder: string;
  beforeEach(async () => {
    folder = createFolder('project');
    services = await openServices(database, folder);
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const remember = async (content: string, rest: object = {}) =>
    (await services.call('remember', { content, ...rest })).id as string;
  const ask = async (name: string, args: object) =>
    (await services.registry.call(name, args, createPlainCall({ ...personCaller, folder }))).structured as Record<
      string,
      unknown
    >;
  const run = async (args: { ids?: string[]; earlier_ids?: string[] }) => {
    const { operations } = (await ask('memory_purge', args)) as { operations: string[] };
    await services.opened.worker.idle();
    return services.opened.operations.get(operations.at(-1) as string);
  };
  const edit = async (id: string, text: string) => {
    const { whole } = await services.call('recall', { query: id });
    await ask('memory_edit', { id, text, hash: (whole as { hash: string }).hash });
  };
  const fill = async (count: number) => {
    const project = (await services.opened.graph.get(await remember('The seal prefers herring.')))?.project as string;
    const texts = Array.from({ length: count }, (_, n) => `Fact number ${n} is about otter ${n * 7}.`);
    await services.opened.graph.put(
      texts.map((text) => ({ project, kind: 'memory', text, data: { kind: 'semantic', knowledge: 'note' } })),
      'test',
    );
    return project;
  };
  const settle = async () => {
    while (await compactIndex(services.opened.store, { limit: 1 }));
  };
  /** Rows of all tables that have the word in any column. */
  const rowsWith = async (needle: string) => {
    const rows = await Promise.all(tables.map((table) => services.opened.store.all(sql`select * from ${table}`)));
    return rows.flat().filter((row) => JSON.stringify(row).toLowerCase().includes(needle));
  };
  const filesWith = (needle: string | Uint8Array) => {
    const { store } = services.opened;
    if (store.dialect !== 'sqlite') return [];
    const files = readdirSync(dirname(store.location)).map((name) => join(dirname(store.location), name));
    return files.filter((file) =>
      readFileSync(file, 'latin1').toLowerCase().includes(Buffer.from(needle).toString('latin1')),
    );
  };

  it('leaves no trace of an entry, and everything else as it was', async () => {
    const id = await remember(`The ${word} in src/${word}.ts eats clams.`, { session: `about ${word}` });
    const keyed = await remember('The whale sings.', { key: `about/${word}` });
    await fill(300);
    await settle();
    await edit(id, `The ${word} in src/${word}.ts eats mussels.`);
    await services.call('learn', { content: `Remember: the ${word} is fed at noon by ${word}-bot.` });
    await services.opened.worker.idle();
    await settle();
    const terms = await services.opened.store.all(sql`select term from posting where term = ${word}`);
    expect(terms).not.toEqual([]);
    const found = (await ask('memory_holding', { text: word.toUpperCase() })).entries as { id: string }[];
    const ids = found.map((entry) => entry.id);
    expect(ids).toEqual(expect.arrayContaining([id, keyed]));
    expect(ids.length).toBeGreaterThan(2);
    expect(await run({ ids })).toMatchObject({ state: 'done', result: { erased: true, copies: [] } });
    expect(await rowsWith(word)).toEqual([]);
    expect(filesWith(word)).toEqual([]);
    await expect(services.call('recall', { query: id })).rejects.toMatchObject({ word: 'not_found' });
    const others = await services.opened.graph.find({ query: 'otter 2093', projects: [await fill(0)], by: 'words' });
    expect(others[0]?.node.text).toBe('Fact number 299 is about otter 2093.');
    const [{ orphans } = { orphans: -1 }] = await services.opened.store.all<{ orphans: number }>(
      sql`select count(*) as orphans from document where node_id in ${list(ids)}`,
    );
    expect(Number(orphans)).toBe(0);
  });

  it('is not served by a process that had it in memory', async () => {
    const id = await remember(`The ${word} eats clams.`);
    const project = await fill(300);
    await settle();
    const { store } = services.opened;
    if (store.dialect !== 'sqlite') return;
    const other = await openGraphOn(await openSqlite(store.location));
    const look = () => other.graph.find({ query: `${word} clams`, projects: [project] });
    expect((await look())[0]?.node.id).toBe(id);
    await run({ ids: [id] });
    expect((await look()).map(({ node }) => node.text).join()).not.toContain(word);
    await other.close();
    expect(filesWith(word)).toEqual([]);
  });

  it('erases the vector', async () => {
    const id = await remember(`The ${word} eats clams.`);
    const { store } = services.opened;
    const row = await store.one<{ vector: Uint8Array }>(
      sql`select vector from fresh join document on document.number = fresh.number where node_id = ${id}`,
    );
    const vector = Buffer.from(row?.vector as Uint8Array)
      .toString('latin1')
      .toLowerCase();
    await fill(300);
    await settle();
    await run({ ids: [id] });
    expect(filesWith(Buffer.from(vector, 'latin1'))).toEqual([]);
  });

  it('can be limited to earlier texts', async () => {
    const id = await remember(`The password of the ${word} is clams.`);
    await fill(300);
    await settle();
    await edit(id, 'The password is in the vault.');
    await settle();
    expect(((await ask('memory_holding', { text: word })).entries as object[])[0]).toMatchObject({ id, earlier: true });
    await run({ earlier_ids: [id.slice(0, -2)] });
    expect(await rowsWith(word)).toEqual([]);
    expect(filesWith(word)).toEqual([]);
    const { whole } = await services.call('recall', { query: id, explain: true });
    expect(whole).toMatchObject({
      text: 'The password is in the vault.',
      history: [{ action: 'put' }, { action: 'edit' }],
    });
  });

  it('is finished by another process when one ends in the middle', async () => {
    const id = await remember(`The ${word} eats clams.`);
    const project = await fill(300);
    await settle();
    const { store, operations } = services.opened;
    const what = { ids: [id], earlier: [], projects: [project] };
    await expect(purge(store, what, { signal: AbortSignal.abort(new Error('killed')) })).rejects.toThrow('killed');
    // Nobody sees it any more, though it is still in the index.
    expect(await services.opened.graph.get(id)).toBeUndefined();
    expect(await rowsWith(word)).not.toEqual([]);
    await operations.add('purge', project, what);
    await services.opened.worker.idle();
    expect(await rowsWith(word)).toEqual([]);
    expect(filesWith(word)).toEqual([]);
  });

  it('that failed is retried by the next --finish', async () => {
    const id = await remember(`The ${word} eats clams.`);
    const project = await fill(300);
    await settle();
    const { operations, store } = services.opened;
    const { id: failed } = await operations.add('purge', project, { ids: [id], earlier: [], projects: [project] });
    await store.run(sql`update operation set state = 'failed', problem = 'the disk is full' where id = ${failed}`);
    expect(await run({})).toMatchObject({ state: 'done', result: { purged: 1, erased: true } });
    expect(await rowsWith(word)).toEqual([]);
    expect(filesWith(word)).toEqual([]);
  });

  it('clears jobs that contain the text, and cancels those that would store it again', async () => {
    const id = await remember(`The ${word} said "clams\nand mussels" at noon.`);
    const project = await fill(0);
    const { operations, store } = services.opened;
    const line = JSON.stringify({ role: 'user', content: `Well. The ${word} said "clams\nand mussels" at noon. Yes.` });
    const waiting = await operations.add('paused-kind', project, { content: `${line}\n` });
    const other = await operations.add('paused-kind', project, { content: 'The otter.' });
    await run({ ids: [id] });
    const read = ({ id }: { id: string }) => store.one(sql`select state, input from operation where id = ${id}`);
    expect(await read(waiting)).toEqual({ state: 'cancelled', input: '{}' });
    expect(await read(other)).toEqual({ state: 'queued', input: '{"content":"The otter."}' });
  });

  it('keeps entities that others mention, and superseded entries', async () => {
    const old = await remember('The gateway in src/gate.ts listens on 80.');
    const content = `The ${word} gateway in src/gate.ts listens on 443.`;
    const { id } = (await services.call('remember', { content, supersedes: old })) as { id: string };
    expect(await services.opened.graph.get(old)).toMatchObject({ supersededBy: id });
    await run({ ids: [id] });
    expect(await services.opened.graph.get(old)).toMatchObject({ supersededBy: undefined });
    const entities = await services.opened.store.all<{ title: string }>(
      sql`select title from node where kind = 'entity'`,
    );
    expect(entities.map(({ title }) => title)).toContain('src/gate.ts');
  });

  it('is for a person, and refuses derived nodes', async () => {
    const id = await remember('Only people purge.');
    const call = async () =>
      services.registry.call('memory_purge', { ids: [id] }, createPlainCall({ ...localCaller, folder }));
    await expect(call()).rejects.toMatchObject({ word: 'forbidden' });
    const project = await fill(0);
    await services.opened.graph.put([{ id: 'file_0000aaaa', project, kind: 'file', text: 'x' }], 'test');
    await expect(ask('memory_purge', { ids: [id, 'file_0000aaaa'] })).rejects.toMatchObject({ word: 'invalid_input' });
    expect(await services.opened.graph.get(id)).toBeDefined();
  });
});
