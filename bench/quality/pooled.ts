// LongMemEval-S as in real use: the sessions of all questions in one project.
import type { Question } from './longmemeval-data.ts';
import { findAll, findAny, orderSessions } from './metrics.ts';
import { addOutcome, type Place, type Session, withShelf } from './shelf.ts';
import { averageRow, type Measured } from './table.ts';
import type { Way } from './ways.ts';

export async function measurePooled(
  questions: readonly Question[],
  ways: readonly Way[],
  place: Place,
): Promise<Measured> {
  const pool = new Map<string, Session>();
  for (const { haystack } of questions) for (const session of haystack) pool.set(session.id, session);
  const measured = new Map<Way, Record<string, number>[]>(ways.map((way) => [way, []]));
  const outcomes = {};
  for (const intake of new Set(ways.map((way) => way.intake))) {
    await withShelf(place, 'pooled', [...pool.values()], intake, async (shelf) => {
      addOutcome(outcomes, intake, shelf.outcome);
      for (const { question, at, gold } of questions) {
        shelf.askAt(at);
        for (const way of ways.filter((one) => one.intake === intake)) {
          const order = orderSessions(await way.ask(shelf, question));
          measured.get(way)?.push({
            'any@1': findAny(order, gold, 1),
            'any@5': findAny(order, gold, 5),
            'any@10': findAny(order, gold, 10),
            'all@10': findAll(order, gold, 10),
          });
        }
      }
    });
  }
  return { rows: ways.map((way) => averageRow(way.name, measured.get(way) ?? [])), outcomes };
}
