// Answers that do not fit the budget: what is shown costs little, and every byte of the rest can be read, by the same caller only.
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localCaller } from '../../src/core/call.ts';
import { estimateTokens } from '../../src/core/text/budget.ts';
import { createFolder } from '../support/folder.ts';
import { ForgeLab, type Json } from '../support/forge.ts';

interface Answer {
  text?: string;
  data?: unknown;
  rest?: { name: string; offset: number; of: number };
  files?: { blob?: string; rest?: Answer['rest'] }[];
}

let lab: ForgeLab;
beforeEach(async () => {
  lab = await ForgeLab.open();
  await lab.add();
});
afterEach(async () => {
  await lab.close();
});

const json = { 'content-type': 'application/json' };
const answers = () => join(lab.folder, 'forge', 'answers');
const get = (name: string, args: Json = {}, budget = 4_000) =>
  lab.call('tool_read', { name, arguments: args, budget_tokens: budget });
const read = async (...args: Parameters<typeof get>) => (await get(...args)).structured as Answer;
const readAll = async ({ text = '', rest }: Answer): Promise<string> =>
  rest ? text + (await readAll(await read(rest.name, { offset: rest.offset }, 100_000))) : text;

describe('an answer beyond the budget', () => {
  it('of five megabytes costs at most ten thousand tokens, and every byte can be read', async () => {
    const line = (at: number) => `${at} the quick brown fox, äöü 😀, jumps over the lazy dog ${'.'.repeat(at % 90)}`;
    const whole = Array.from({ length: 48_000 }, (_, at) => line(at)).join('\n');
    expect(Buffer.byteLength(whole)).toBeGreaterThan(5_000_000);
    lab.answer(200, { 'content-type': 'text/plain' }, whole);
    const { content, structured } = await get('shop_list_pets');
    expect(estimateTokens(JSON.stringify(content))).toBeLessThan(10_000);
    expect(await readAll(structured as Answer)).toBe(whole);
  });

  it('explains how to read more, outside of the fence', async () => {
    lab.answer(200, json, JSON.stringify(Array(5_000).fill('word')));
    const { content, structured } = await get('shop_list_pets', {}, 200);
    const { rest } = structured as Answer;
    const [text] = content as { text: string }[];
    const last = text?.text.split('\n').at(-1) as string;
    expect(last).toContain(`tool_read with name "${rest?.name}" reads more: arguments {"offset": ${rest?.offset}}`);
    expect(last).not.toMatch(/^\|/);
    expect(estimateTokens(text?.text as string)).toBeLessThan(300);
  });

  it('of JSON is laid out in lines, which are found, and has paths', async () => {
    const items = Array.from({ length: 3_000 }, (_, at) => ({ id: at, name: `pet ${at}`, tags: { 'a/b': [at] } }));
    lab.answer(200, json, JSON.stringify({ items, total: 3_000 }));
    const first = await read('shop_list_pets', {}, 500);
    expect(first).not.toHaveProperty('data');
    expect(JSON.parse(await readAll(first))).toEqual({ items, total: 3_000 });
    const name = first.rest?.name as string;
    const { text: found = '' } = await read(name, { grep: 'PET 1234"' });
    expect(found).toMatch(/^\d+: \{"id":1234,"name":"pet 1234"/);
    const offset = Number.parseInt(found, 10);
    expect((await read(name, { offset }, 200)).text).toMatch(/^\{"id":1234/);
    expect((await read(name, { path: '/items/7/tags/a~1b' })).text).toBe('[7]');
    expect(JSON.parse(await readAll(await read(name, { path: '/items/*/id' }, 300)))).toEqual(
      items.map(({ id }) => id),
    );
    expect((await read(name, { grep: 'unicorn' })).text).toContain('no line');
    for (const [args, word] of [
      [{ path: '/items/5000' }, 'not_found'],
      [{ path: '/__proto__' }, 'not_found'],
      [{ path: '/total', grep: 'x' }, 'invalid_input'],
      [{ limit: 3 }, 'invalid_input'],
    ] as const)
      await expect(get(name, args)).rejects.toMatchObject({ word });
  });

  it('belongs to the caller and its project, and is redacted in a file of its owner', async () => {
    const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
    lab.answer(200, { 'content-type': 'text/plain' }, `${'word '.repeat(5_000)}${token}`);
    const { rest } = await read('shop_list_pets', {}, 300);
    const name = rest?.name as string;
    const [file = ''] = readdirSync(answers());
    expect(readFileSync(join(answers(), file), 'utf8')).not.toContain(token);
    if (process.platform !== 'win32') expect(statSync(join(answers(), file)).mode & 0o077).toBe(0);
    const elsewhere = { ...localCaller, folder: createFolder('elsewhere') };
    const asking = { name, arguments: { offset: 0 } };
    for (const caller of [elsewhere, { ...localCaller, folder: lab.folder, id: 'other' }])
      await expect(lab.call('tool_read', asking, { caller })).rejects.toMatchObject({ word: 'not_found' });
    for (const bad of ['answer_', 'answer_../../shop', `${name}0`])
      await expect(get(bad)).rejects.toMatchObject({ word: 'not_found' });
    await lab.restart();
    expect((await read(name, { offset: 0 }, 300)).text).toMatch(/^word/);
  });

  it('expires, and the number of stored answers is bounded', async () => {
    lab.answer(200, { 'content-type': 'text/plain' }, 'word '.repeat(500));
    const old = (await read('shop_list_pets', {}, 200)).rest?.name as string;
    const [file = ''] = readdirSync(answers());
    const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(join(answers(), file), dayAgo, dayAgo);
    await read('shop_list_pets', {}, 200);
    await expect(get(old)).rejects.toMatchObject({ word: 'not_found', hint: expect.stringContaining('a day') });
    expect(readdirSync(answers())).toHaveLength(1);
  });

  it('that is a large file is read in parts, byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at) % 256));
    lab.answer(200, { 'content-type': 'application/zip' }, bytes);
    const first = await get('shop_list_pets');
    expect(estimateTokens(JSON.stringify(first.content))).toBeLessThan(500);
    const parts: Buffer[] = [];
    let rest = (first.structured as Answer).files?.[0]?.rest;
    while (rest) {
      const [part] = (await read(rest.name, { offset: rest.offset }, 10_000)).files ?? [];
      parts.push(Buffer.from(part?.blob as string, 'base64'));
      rest = part?.rest;
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });
});
