// Answers of mounted servers that do not fit the budget: every byte can be read, and nothing is shown twice.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { estimateTokens } from '../../src/core/text/budget.ts';
import { MountLab } from '../support/mounts-lab.ts';

interface Rest {
  name: string;
  offset: number;
  of: number;
}
interface Answer {
  text?: string;
  data?: unknown;
  rest?: Rest;
  data_rest?: Rest;
  files?: { blob?: string; rest?: Rest }[];
}

let lab: MountLab;
let file: string;
beforeEach(async () => {
  lab = new MountLab();
  file = join(lab.folder, 'result.json');
  const program = join(import.meta.dirname, '../support/upstream/fixed.mjs');
  await lab.gateway.add({ name: 'big', command: { program: process.execPath, args: [program, file] }, addedAt: 0 }, {});
  await lab.start();
});
afterEach(() => lab.close());

const returns = (result: object) => writeFileSync(file, JSON.stringify(result));
const textOf = ({ content }: { content: unknown[] }) => (content as { text?: string }[])[0]?.text ?? '';
const read = async (rest: Rest): Promise<Answer> =>
  (await lab.call('tool_read', { name: rest.name, arguments: { offset: rest.offset }, budget_tokens: 100_000 }))
    .structured as Answer;
const readAll = async ({ text = '', rest }: Answer): Promise<string> =>
  rest ? text + (await readAll(await read(rest))) : text;

it('a text of five megabytes costs at most ten thousand tokens, and every byte can be read', async () => {
  const whole = Array.from({ length: 45_000 }, (_, at) => `${at} größer 😀 日本語 ${'x'.repeat(at % 190)}`).join('\n');
  expect(Buffer.byteLength(whole)).toBeGreaterThan(5_000_000);
  returns({ content: [{ type: 'text', text: whole }] });
  const answer = await lab.call('tool_read', { name: 'big_get' });
  expect(estimateTokens(JSON.stringify(answer.content))).toBeLessThan(10_000);
  expect(await readAll(answer.structured as Answer)).toBe(whole);
});

it('data is read as a whole, also beside a text that says something else', async () => {
  const data = { items: Array.from({ length: 3_000 }, (_, at) => ({ id: at, name: `Größe ${at} 😀` })) };
  returns({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });
  expect(JSON.parse(await readAll((await lab.call('tool_read', { name: 'big_get' })).structured as Answer))).toEqual(
    data,
  );
  returns({ content: [{ type: 'text', text: '3000 items' }], structuredContent: data });
  const both = await lab.call('tool_read', { name: 'big_get' });
  const { text, data: shown, data_rest: rest } = both.structured as Answer;
  expect([text, shown]).toEqual(['3000 items', undefined]);
  expect(textOf(both)).toContain(`tool_read with name "${rest?.name}" reads it`);
  expect(JSON.parse(await readAll({ rest: rest as Rest }))).toEqual(data);
  returns({ content: [{ type: 'text', text: 'one item' }], structuredContent: { items: [7] } });
  expect(textOf(await lab.call('tool_read', { name: 'big_get' }))).toMatch(/one item\n\| \{"items":\[7\]\}/);
  returns({ content: [{ type: 'text', text: 'seven' }], structuredContent: { result: 'seven' } });
  expect((await lab.call('tool_read', { name: 'big_get' })).structured).not.toHaveProperty('data');
});

it('an image and a file are read byte for byte', async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));
  const blob = bytes.toString('base64');
  returns({
    content: [
      { type: 'image', mimeType: 'image/png', data: blob },
      { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'application/x-thing', blob } },
    ],
  });
  const { files = [] } = (await lab.call('tool_read', { name: 'big_get' })).structured as Answer;
  expect(files).toHaveLength(2);
  for (const one of files) {
    const parts: Buffer[] = [];
    for (let rest = one.rest; rest; ) {
      const [part] = (await read(rest)).files ?? [];
      parts.push(Buffer.from(part?.blob ?? '', 'base64'));
      rest = part?.rest;
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  }
});

it('a long answer that a model was just shown is cited, and can be read again', async () => {
  const call = (client: object, receives: 'text' | 'data') =>
    lab.app.registry.call('tool_read', { name: 'big_get' }, { ...createPlainCall(localCaller), client, receives });
  const [session, other] = [{}, {}];
  const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
  returns({ content: [{ type: 'text', text: long }] });
  expect(textOf(await call(session, 'text'))).toContain(long);
  const cited = textOf(await call(session, 'text'));
  expect(cited).toMatch(/^\[The answer is the same as an earlier one of big_get in this session, of 4500 characters/);
  const name = /name "(\w+)"/.exec(cited)?.[1] as string;
  expect(await readAll(await read({ name, offset: 0, of: 0 }))).toBe(long);
  expect(textOf(await call(session, 'text'))).toBe(cited);
  expect(textOf(await call(other, 'text'))).toContain(long);
  expect((await call(session, 'data')).structured).toMatchObject({ text: long });
  returns({ content: [{ type: 'text', text: `${long}!` }] });
  expect(textOf(await call(session, 'text'))).toContain(`${long}!`);
});
