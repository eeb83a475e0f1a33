// Finding what has been said already, over each database.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { findDuplicate } from '../../src/graph/duplicate.ts';
import { Graph } from '../../src/graph/graph.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/databases.ts';

const databases = createDatabases();

describe.each(databases)('duplicates on $name', (database) => {
  const opened: Store[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(() => database.stop?.());

  async function open(): Promise<Graph> {
    const store = await database.open();
    opened.push(store);
    await migrate(store, graphMigrations);
    const embed = () => {
      throw new Error('words are enough');
    };
    return new Graph({ store, embedder: { id: 'none', embed: (_, use) => (use === 'query' ? embed() : []) } });
  }

  const memory = (text: string, rest = {}) => ({ project: 'p', kind: 'memory', text, ...rest });

  it('are found by the very words, and by the same words otherwise', async () => {
    const graph = await open();
    const [node] = await graph.put([memory('The API listens on port 8443.'), memory('The API is slow.')], 'ann');
    for (const text of [
      'The API listens on port 8443.',
      'the API listens on port 8443',
      'On port 8443 the API listens',
    ]) {
      expect((await findDuplicate(graph, ['p'], memory(text)))?.id).toBe(node?.id);
    }
    for (const text of ['The API listens on port 8444.', 'The API does not listen on port 8443.', 'Unrelated.']) {
      expect(await findDuplicate(graph, ['p'], memory(text))).toBeUndefined();
    }
  });

  it('are looked for where they would be kept, among what counts', async () => {
    const graph = await open();
    const [node] = await graph.put([memory('Use tabs.')], 'ann');
    expect(await findDuplicate(graph, ['q'], memory('Use tabs.'))).toBeUndefined();
    expect(await findDuplicate(graph, ['p'], memory('Use tabs.', { kind: 'skill' }))).toBeUndefined();
    await graph.forget(node?.id as string, 'ann');
    expect(await findDuplicate(graph, ['p'], memory('Use tabs.'))).toBeUndefined();
    await graph.restore(node?.id as string, 'ann');
    expect((await findDuplicate(graph, ['p'], memory('use tabs')))?.id).toBe(node?.id);
  });

  it('may lack a title that adds nothing', async () => {
    const graph = await open();
    const [node] = await graph.put([memory('We deploy on Fridays.', { title: 'Deploy on Fridays' })], 'ann');
    expect((await findDuplicate(graph, ['p'], memory('we deploy on Fridays')))?.id).toBe(node?.id);
    await graph.put([memory('The port is 80.', { title: 'Staging' })], 'ann');
    expect(await findDuplicate(graph, ['p'], memory('The port is 80'))).toBeUndefined();
    expect(await findDuplicate(graph, ['p'], memory('The port is 80', { title: 'Production' }))).toBeUndefined();
  });

  it('are compared as they are stored, without secrets', async () => {
    const graph = await open();
    const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const [node] = await graph.put([memory(`The token is ${token}.`)], 'ann');
    expect((await findDuplicate(graph, ['p'], memory(`The token is ${token}.`)))?.id).toBe(node?.id);
  });
});
