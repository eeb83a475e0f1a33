// Limits for one client of the HTTP server: beyond them it gets an error, and others are still served.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { initialize, post, serveLore } from '../support/http.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

function call(id: number | string, name: string, args: object = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

it('batch: refuses the calls whose answers no longer fit, and answers the rest', async () => {
  const project = createFolder('large');
  writeFileSync(join(project, 'large.txt'), 'The keeper counts ships.\n'.repeat(1_000));
  const { url } = await serveLore({ LORE_MAX_RESULT_BYTES: '100000' }, project);
  const session = await initialize(url, '2025-03-26');
  const batch = Array.from({ length: 30 }, (_, id) => call(id, 'read_file', { path: 'large.txt' }));
  const text = await (await post(url, [...batch, { nonsense: 1 }], session)).text();
  expect(text.length).toBeLessThan(120_000);
  const answers = JSON.parse(text) as { id: number | null; result?: object; error?: { code: number; data: object } }[];
  expect(answers).toHaveLength(31);
  expect(answers.filter(({ result }) => result !== undefined).length).toBeGreaterThanOrEqual(1);
  expect(answers[29]).toMatchObject({ id: 29, error: { code: -32801, data: { code: 'limit_exceeded' } } });
  expect(answers[30]).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await (await post(url, [ping], session)).json()).toMatchObject([{ id: 1, result: {} }]);
});

it('body: a refused body leaves its connection usable', async () => {
  const { url } = await serveLore({ LORE_MAX_MESSAGE_BYTES: '1024' });
  for (let round = 0; round < 20; round++) {
    const refused = await post(url, 'x'.repeat(100_000));
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: {} }]);
    expect((await post(url, ping)).status).toBe(400);
  }
});

it('subscriptions: are refused when a URI is too long', async () => {
  const { url } = await serveLore();
  const session = await initialize(url);
  const subscribe = (uri: string) => ({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } });
  expect(await (await post(url, subscribe('lore://recent'), session)).json()).toMatchObject({ result: {} });
  const refused = await post(url, subscribe(`lore://file/${'x'.repeat(100_000)}`), session);
  expect(await refused.json()).toMatchObject({ error: { code: -32602 } });
});

it('lists: refuse a cursor that is too long', async () => {
  const { url } = await serveLore();
  const session = await initialize(url);
  const cursor = Buffer.from(`after ${'x'.repeat(100_000)}`).toString('base64url');
  const answer = await post(url, { jsonrpc: '2.0', id: 3, method: 'tools/list', params: { cursor } }, session);
  expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
});
