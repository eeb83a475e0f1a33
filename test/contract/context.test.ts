// What query_context and context_link promise, over each database.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServiceDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const databases = createServiceDatabases();

interface Picture {
  nodes: { id: string; kind: string; title?: string; text: string; why: string }[];
  edges: { from: string; kind: string; to: string }[];
}

describe.each(databases)('context on $name', (database) => {
  let services: Services;
  beforeEach(async () => {
    services = await openServices(database, createFolder('project'));
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const remember = async (content: string, rest: object = {}) =>
    (await services.call('remember', { content, ...rest })).id as string;
  const query = async (args: object) => (await services.call('query_context', args)) as unknown as Picture;

  it('finds nodes related to the matches, with their edges', async () => {
    await remember('The session cookie is signed in `src/auth/session.ts`.');
    const other = await remember('`src/auth/session.ts` must never log its input.');
    const { nodes, edges } = await query({ query: 'how is the cookie signed' });
    const file = nodes.find(({ kind, title }) => kind === 'entity' && title === 'src/auth/session.ts');
    expect(nodes[0]).toMatchObject({ kind: 'memory', why: 'matches the query' });
    expect(nodes.map(({ id }) => id)).toContain(other);
    expect(edges).toContainEqual({ from: other, kind: 'mentions', to: file?.id });
    expect(await services.text('query_context', { query: 'how is the cookie signed' })).toMatch(
      /^Found \d relevant context nodes/,
    );
  });

  it('creates relations, and follows them from a node', async () => {
    const cause = await remember('The nightly job runs out of memory.');
    const effect = await remember('Invoices arrive late on Mondays.');
    await services.call('context_link', { from: cause, kind: 'causes', to: effect });
    const { nodes, edges } = await query({ query: 'zebra', from: cause, hops: 1 });
    expect(nodes.map(({ id }) => id).sort()).toEqual([cause, effect].sort());
    expect(edges).toEqual([{ from: cause, kind: 'causes', to: effect }]);
    await expect(services.call('context_link', { from: cause, kind: 'causes', to: 'n_none' })).rejects.toMatchObject({
      word: 'not_found',
    });
  });

  it('asks for more when a query is too broad', async () => {
    for (let n = 0; n < 40; n++) await remember(`The project keeps fact number ${n} about topic${n}.`);
    await expect(query({ query: 'project fact' })).rejects.toMatchObject({
      word: 'invalid_input',
      message: expect.stringContaining('Query too broad, please be more specific'),
      hint: expect.stringContaining('kinds'),
    });
    expect((await query({ query: 'topic17' })).nodes[0]?.text).toContain('topic17');
  });

  it('shows no nodes of a tool that the caller may not call', async () => {
    await remember('The session cookie is signed in `src/auth/session.ts`.');
    const asked = { query: 'how is the cookie signed' };
    const kindsShown = async () => (await query(asked)).nodes.map(({ kind }) => kind);
    expect(await kindsShown()).toContain('memory');
    const rules = { readOnly: false, callTimeoutMs: 60_000, rateLimit: 1_000 };
    for (const name of ['memory', 'recall']) {
      services.registry.setRules({ ...rules, permissions: { [name]: 'off' } });
      expect(await kindsShown()).not.toContain('memory');
    }
    services.registry.setRules({ ...rules, permissions: {} });
    await services.registry.unregister('memory');
    expect(await kindsShown()).not.toContain('memory');
  });

  it('keeps to its project, its kinds and its budget', async () => {
    await remember('Whales sing in `src/whale.ts`.');
    const elsewhere = (await services.call('query_context', { query: 'whales' }, createFolder('other'))) as object;
    expect(elsewhere).toEqual({ nodes: [], edges: [] });
    expect((await query({ query: 'whales', kinds: ['commit'] })).nodes).toEqual([]);
    for (let n = 0; n < 9; n++) await remember(`Whale ${n} ${'sings of krill '.repeat(20)}${n}.`);
    const few = await query({ query: 'what do whales sing of', budget_tokens: 200 });
    expect(few.nodes.length).toBeGreaterThan(0);
    expect(few.nodes.length).toBeLessThan(6);
  });
});
