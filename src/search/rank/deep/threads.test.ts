// The threads of the deep ranker: scores within the time budget, and none if the model cannot be read.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeDeepModel, writeDeepModel } from '../../../../test/support/deep-model.ts';
import { createFolder } from '../../../../test/support/folder.ts';
import { readModelFile } from './model-file.ts';
import { createNetwork } from './network.ts';
import { createDeepRanker, examineModel } from './ranker.ts';
import { createDeepThreads, type DeepThreads, unknownLanguage } from './threads.ts';

const opened: Pick<DeepThreads, 'close'>[] = [];
const keep = <T extends Pick<DeepThreads, 'close'>>(one: T): T => {
  opened.push(one);
  return one;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function makeFile(): string {
  const path = join(createFolder('deep'), 'ranker.bin');
  writeDeepModel(path, makeDeepModel());
  return path;
}

const ample = 60_000;
const question = 'where are the cars repaired?';
const pairs = [
  { text: 'broken cars are repaired in a garage', before: 'who repaired the cars' },
  { text: 'the cars are in the garage' },
  { text: 'el coche está en el taller' },
];

it('scores texts of known languages like the network', async () => {
  const path = makeFile();
  const { encoder, score } = createNetwork(readModelFile(path));
  const asked = encoder.question(question);
  const expected = pairs.map((pair) => score(encoder.pair(asked, pair), asked.length + 2));
  const found = await keep(createDeepThreads(path)).score(question, pairs, ample);
  const [first, second] = expected.map(({ answers }) => Math.fround(answers));
  expect([...(found?.scores ?? [])]).toEqual([first, second, unknownLanguage]);
  expect([...(found?.relevance ?? [])].slice(0, 2)).toEqual(
    expected.slice(0, 2).map(({ helps }) => Math.fround(helps)),
  );
  expect(found?.fusion).toEqual({ fast: 1, deep: 10 });
});

it('scores nothing without time, or for a question in an unknown language', async () => {
  const threads = keep(createDeepThreads(makeFile()));
  for (const [asked, budget] of [
    [question, -1],
    ['¿dónde está el taller?', ample],
  ] as const) {
    const found = await threads.score(asked, pairs, budget);
    expect([...(found?.scores ?? [])]).toEqual(pairs.map(() => Number.NaN));
  }
});

it('has no scores if the file is damaged or missing, and questions end when it is closed', async () => {
  const path = makeFile();
  const closed = createDeepThreads(path);
  const waiting = closed.score(question, pairs, ample);
  await closed.close();
  await expect(waiting).resolves.toBeUndefined();
  writeFileSync(path, 'LORERNK2');
  const threads = keep(createDeepThreads(path));
  expect(await threads.score(question, pairs, ample)).toBeUndefined();
  expect(examineModel(path)).toEqual({ ok: false, found: expect.stringContaining('it is damaged') });
  const missing = join(path, 'none');
  expect(keep(createDeepRanker({ stays: true, path: missing })).open('deep')).toBeUndefined();
  expect(examineModel(missing).ok).toBe(true);
  expect(examineModel(makeFile()).ok).toBe(true);
});

it('answers in auto mode by the fast stage until the model is loaded, and never loads it for one command', async () => {
  const path = makeFile();
  expect(keep(createDeepRanker({ stays: false, path })).open('auto')).toBeUndefined();
  const ranker = keep(createDeepRanker({ stays: true, path, settings: () => ({ mode: 'auto', budgetMs: ample }) }));
  expect(ranker.open()).toBeUndefined();
  expect(ranker.open('fast')).toBeUndefined();
  const found = await ranker.open('deep')?.(question, pairs);
  expect(found?.scores.some((score) => Number.isFinite(score))).toBe(true);
  expect(ranker.open()).toBeDefined();
});

it('returns the same scores for the next page, even if there is less time', async () => {
  let budgetMs = ample;
  const ranker = keep(
    createDeepRanker({ stays: true, path: makeFile(), settings: () => ({ mode: 'deep', budgetMs }) }),
  );
  const found = await ranker.open()?.(question, pairs);
  budgetMs = -1;
  expect(await ranker.open()?.(question, pairs)).toEqual(found);
  expect(await ranker.open()?.(question, pairs.slice(1))).not.toEqual(found);
});
