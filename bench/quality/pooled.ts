// LongMemEval-S as in real use: the sessions of all questions in one project.
import { toSession } from './longmemeval.ts';
import type { Question, Talk } from './longmemeval-data.ts';
import { findAll, findAny, orderByScore } from './metrics.ts';
import { type Place, withShelf } from './shelf.ts';
import { averageRow, type Row } from './table.ts';
import type { Way } from './ways.ts';

/** Of each kind; a memory tool would not look at more either. */
const candidates = 300;

export async function measurePooled(
  questions: readonly Question[],
  ways: readonly Way[],
  place: Place,
): Promise<Row[]> {
  const talks = new Map<string, Talk>();
  for (const { haystack } of questions) for (const talk of haystack) talks.set(talk.id, talk);
  const pool = [...talks.values()];
  const measured = new Map<Way, Record<string, number>[]>(ways.map((way) => [way, []]));
  await withShelf(place, pool.map(toSession), async (find) => {
    for (const { question, gold } of questions) {
      const hits = await find(question, candidates);
      for (const way of ways) {
        const order = orderByScore(way.rankSessions(hits)).map((at) => pool[at]?.id);
        measured.get(way)?.push({
          'any@1': findAny(order, gold, 1),
          'any@5': findAny(order, gold, 5),
          'any@10': findAny(order, gold, 10),
          'all@10': findAll(order, gold, 10),
        });
      }
    }
  });
  return ways.map((way) => averageRow(way.name, measured.get(way) ?? []));
}
