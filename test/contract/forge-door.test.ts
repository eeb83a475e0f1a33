// Calls of forged tools pass the same door as every tool: audit, rate, marks of effect, and fixes for failures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LoreError } from '../../src/core/error.ts';
import { ForgeLab, type Json } from '../support/forge.ts';

let lab: ForgeLab;
beforeEach(async () => {
  lab = await ForgeLab.open();
});
afterEach(() => lab.close());

const fail = (name: string): Promise<LoreError> =>
  lab.read(name).then(
    () => Promise.reject(new Error('it did not fail')),
    (error: LoreError) => error,
  );

it('every call is written to the audit log, refused ones included', async () => {
  await lab.add();
  await lab.read('shop_list_pets');
  await expect(lab.call('tool_write', { name: 'shop_delete_pet', arguments: { id: '1' } })).rejects.toThrow();
  await lab.app.stop();
  const lines = readFileSync(join(lab.folder, 'audit.jsonl'), 'utf8').trim().split('\n');
  const calls = lines.map((line) => JSON.parse(line) as Json).filter(({ tool }) => /^tool_/.test(String(tool)));
  expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['tool_read', 'ok'],
    ['tool_write', 'begun'],
    ['tool_write', 'forbidden'],
  ]);
  expect(JSON.stringify(calls)).toContain('shop_list_pets');
  expect(JSON.stringify(calls)).toContain('shop_delete_pet');
  await lab.restart();
});

it('a host gets about 120 requests a minute', async () => {
  await lab.add();
  const calls = await Promise.allSettled(Array.from({ length: 300 }, () => lab.read('shop_list_pets')));
  const refused = calls.filter((one) => one.status === 'rejected');
  // More are let through as time passes.
  expect(lab.server.requests.length).toBeGreaterThanOrEqual(120);
  expect(lab.server.requests.length + refused.length).toBe(300);
  expect(refused[0]).toMatchObject({ reason: { word: 'limit_exceeded' } });
});

it('operations that delete are marked, by their method or by their name', async () => {
  const paths = {
    '/a': { post: { operationId: 'purgeCache' }, get: { operationId: 'deleteOld' } },
    '/b': { post: { operationId: 'tokens/revoke' }, delete: { operationId: 'b' }, put: { operationId: 'undeleted' } },
  };
  await lab.add(lab.pets({ paths }));
  const catalog = await lab.forge.sources.catalog(await lab.forge.sources.get('shop'));
  expect(Object.fromEntries(catalog.map(({ key, effect }) => [key, effect]))).toEqual({
    'get /a': 'read',
    'post /a': 'destroy',
    'put /b': 'write',
    'post /b': 'destroy',
    'delete /b': 'destroy',
  });
});

it('a failure comes with the known fix', async () => {
  await lab.add();
  lab.answer(409, { 'content-type': 'application/problem+json' }, '{"title":"Quota of tenant exhausted: plan free"}');
  expect(await fail('shop_list_pets')).toMatchObject({
    word: 'conflict',
    details: { status: 409, title: 'Quota of tenant exhausted: plan free' },
    advice: [],
  });
  await lab.call('remediation_save', {
    error_msg: 'Quota of tenant exhausted: plan free',
    solution: 'Delete old previews first.',
  });
  expect((await fail('shop_list_pets')).advice).toMatchObject([
    { text: expect.stringContaining('Delete old previews first.') },
  ]);
});
