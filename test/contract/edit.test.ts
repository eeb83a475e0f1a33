// Correcting what a memory says: its id stays, its history keeps the text it had, and everything derived from it follows.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller, personCaller } from '../../src/core/call.ts';
import { listTargets } from '../../src/graph/walk.ts';
import { sql } from '../../src/store/sql.ts';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

describe.each(createDatabases())('memory_edit on $name', (database) => {
  let services: Services;
  let folder: string;
  let anchor: string;
  beforeEach(async () => {
    folder = createFolder('project');
    services = await openServices(database, folder);
    anchor = await remember('The seal prefers herring.');
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const remember = async (content: string) => (await services.call('remember', { content })).id as string;
  const read = async (id: string) =>
    (await services.call('recall', { query: id, explain: true })).whole as {
      text: string;
      hash: string;
      history: { action: string; actor: string; before?: string }[];
    };
  const edit = async (id: string, text: string, hash?: string) => {
    const args = { id, text, hash: hash ?? (await read(id)).hash };
    const call = createPlainCall({ ...personCaller, folder });
    return (await services.registry.call('memory_edit', args, call)).structured as object;
  };
  const mentioned = async (id: string) => {
    const { graph, store } = services.opened;
    return (await graph.getAll(await listTargets(store, id, 'mentions'))).map(({ title }) => title).sort();
  };
  const found = async (query: string) =>
    (await services.opened.graph.find({ query, projects: [await project()], by: 'words' })).map(({ node }) => node.id);
  const project = async () => (await services.opened.graph.get(anchor))?.project ?? '';

  it('keeps the id and the earlier text, and finds only the new words', async () => {
    const id = await remember('The walrus in src/walrus.ts eats clams.');
    expect(await edit(id, 'The walrus in src/tusk.ts eats mussels.')).toEqual({ id, changed: true, redacted: 0 });
    const { text, history } = await read(id);
    expect(text).toBe('The walrus in src/tusk.ts eats mussels.');
    expect(history).toMatchObject([
      { action: 'put' },
      { action: 'edit', actor: 'local', before: 'The walrus in src/walrus.ts eats clams.' },
    ]);
    expect(await found('mussels')).toEqual([id]);
    expect(await found('clams')).toEqual([]);
    expect(await mentioned(id)).toEqual(['src/tusk.ts']);
    const vectors = await services.opened.store.all<{ vector: unknown }>(
      sql`select vector from fresh join document on document.number = fresh.number where node_id = ${id}`,
    );
    expect(vectors).toHaveLength(1);
  });

  it('refuses to overwrite a concurrent change', async () => {
    const id = await remember('Deploys are on Mondays.');
    const { hash } = await read(id);
    const both = await Promise.allSettled([
      edit(id, 'Deploys are on Tuesdays.', hash),
      edit(id, 'Deploys stop.', hash),
    ]);
    const refused = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => reason.word)).toEqual(['conflict']);
    expect((await read(id)).history).toHaveLength(2);
  });

  it('redacts secrets, and ignores an unchanged text', async () => {
    const id = await remember('The token is in the vault.');
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    expect(await edit(id, `The token is ${secret}.`)).toMatchObject({ redacted: 1 });
    const { text } = await read(id);
    expect(text).not.toContain(secret);
    expect(await edit(id, text)).toMatchObject({ changed: false });
    expect((await read(id)).history).toHaveLength(2);
  });

  it('is for a person, and only for editable entries', async () => {
    const id = await remember('Only people edit.');
    const { hash } = await read(id);
    const ask = async () =>
      services.registry.call('memory_edit', { id, text: 'x', hash }, createPlainCall({ ...localCaller, folder }));
    await expect(ask()).rejects.toMatchObject({ word: 'forbidden' });
    expect(services.registry.tools(localCaller).map(({ name }) => name)).not.toContain('memory_edit');
    services.registry.setRules({ ...services.registry.rules, readOnly: true });
    await expect(edit(id, 'x', hash)).rejects.toMatchObject({ word: 'forbidden' });
    services.registry.setRules({ ...services.registry.rules, readOnly: false });
    await services.call('forget', { id });
    await expect(edit(id, 'x')).rejects.toMatchObject({ word: 'invalid_input' });
    const session = 'ses_0123456789ab';
    await services.opened.graph.ensure({ id: session, project: await project(), kind: 'session', text: 's' });
    await expect(edit(session, 'x')).rejects.toMatchObject({ word: 'invalid_input' });
  });
});
