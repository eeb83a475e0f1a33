// LongMemEval-S as in real use: the sessions of all questions in one project.
import { askAll } from './asking.ts';
import type { Place, Session } from './conversations.ts';
import type { Question } from './longmemeval-data.ts';
import { findAll, findAny, orderSessions } from './metrics.ts';
import { averageRow, type Measured } from './table.ts';
import type { Way } from './ways.ts';

export async function measurePooled(
  questions: readonly Question[],
  ways: readonly Way[],
  place: Place,
): Promise<Measured> {
  const pool = new Map<string, Session>();
  for (const { haystack } of questions) for (const session of haystack) pool.set(session.id, session);
  const round = { name: 'pooled', sessions: [...pool.values()], questions };
  const { figuresOf, outcomes } = await askAll([round], ways, place, (found, { gold }) => {
    const order = orderSessions(found);
    return {
      'any@1': findAny(order, gold, 1),
      'any@5': findAny(order, gold, 5),
      'any@10': findAny(order, gold, 10),
      'all@10': findAll(order, gold, 10),
    };
  });
  return { rows: ways.map((way) => averageRow(way.name, figuresOf(way))), outcomes };
}
