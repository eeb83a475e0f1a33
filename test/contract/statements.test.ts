// Nothing that was stated is hidden by what was stated later: 40 pairs of statements that can both be true and 20 changes,
// all in one project, and each statement is recalled by a direct question.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

interface Pair {
  label: string;
  older: string;
  olderQuestion: string;
  newer: string;
  newerQuestion: string;
}

const pairs = readFileSync(new URL('statements.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.includes(' | ') && !line.startsWith('#'))
  .map((line): Pair => {
    const [label, older, olderQuestion, newer, newerQuestion] = line.split(' | ') as [
      string,
      string,
      string,
      string,
      string,
    ];
    return { label, older, olderQuestion, newer, newerQuestion };
  });

describe('statements that share their verb', () => {
  let services: Services;
  const ids = new Map<string, string>();
  const suggested = new Set<string>();

  beforeAll(async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    services = await openServices(sqlite, createFolder('project'), { now: () => now });
    for (const part of ['older', 'newer'] as const) {
      for (const pair of pairs) {
        now += 60_000;
        const kept = await services.call('remember', { content: pair[part] });
        expect(kept.action, pair[part]).toBe('stored');
        ids.set(pair[part], kept.id as string);
        const similar = (kept.similar ?? []) as { id: string }[];
        expect(similar.length).toBeLessThanOrEqual(3);
        if (similar.some(({ id }) => id === ids.get(pair.older))) suggested.add(pair.newer);
      }
    }
  });
  afterAll(() => services.close());

  const recall = async (query: string) =>
    (await services.call('recall', { query })).memories as { id: string; text: string; may_be_outdated_by?: string }[];

  it('are 40 pairs that can both be true and 20 changes', () => {
    expect(pairs.filter(({ label }) => label === 'both')).toHaveLength(40);
    expect(pairs.filter(({ label }) => label === 'change')).toHaveLength(20);
  });

  it.each(pairs)('are both recalled: $older / $newer', async ({ older, olderQuestion, newer, newerQuestion }) => {
    expect(
      (await recall(olderQuestion)).map(({ text }) => text),
      olderQuestion,
    ).toContain(older);
    expect(
      (await recall(newerQuestion)).map(({ text }) => text),
      newerQuestion,
    ).toContain(newer);
  });

  it.each(pairs.filter(({ label }) => label === 'change'))(
    'rank the newer first if they disagree: $newer',
    async ({ older, olderQuestion, newer, newerQuestion }) => {
      expect(suggested.has(newer), 'it is suggested').toBe(true);
      for (const question of [olderQuestion, newerQuestion]) {
        const found = await recall(question);
        const texts = found.map(({ text }) => text);
        expect(texts.indexOf(newer), question).toBeGreaterThanOrEqual(0);
        expect(texts.indexOf(newer), question).toBeLessThan(texts.indexOf(older));
        expect(found[texts.indexOf(older)]?.may_be_outdated_by, question).toBeDefined();
      }
    },
  );
});
