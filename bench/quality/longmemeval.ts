// LongMemEval-S: a fresh database for every question; sessions are what is ranked, by the first of their memories.
import type { Question } from './longmemeval-data.ts';
import { findAll, findAny, measureNdcg, orderSessions } from './metrics.ts';
import { addOutcome, type Place, withShelf } from './shelf.ts';
import { averageRow, type Measured, type Row } from './table.ts';
import type { Way } from './ways.ts';

type Figures = Record<string, number>;

export async function measureLongMemEval(
  questions: readonly Question[],
  ways: readonly Way[],
  place: Place,
): Promise<Measured> {
  const measured = new Map<Way, Figures[]>(ways.map((way) => [way, []]));
  const outcomes = {};
  for (const { id, question, at, gold, haystack } of questions) {
    for (const intake of new Set(ways.map((way) => way.intake))) {
      await withShelf(place, `longmemeval-${id}`, haystack, intake, async (shelf) => {
        addOutcome(outcomes, intake, shelf.outcome);
        shelf.askAt(at);
        for (const way of ways.filter((one) => one.intake === intake)) {
          const order = orderSessions(await way.ask(shelf, question));
          measured.get(way)?.push({
            'any@1': findAny(order, gold, 1),
            'any@5': findAny(order, gold, 5),
            'all@5': findAll(order, gold, 5),
            'all@10': findAll(order, gold, 10),
            'NDCG@10': measureNdcg(order, gold, 10),
          });
        }
      });
    }
  }
  const rows = ways.flatMap((way, at): Row[] => {
    const all = measured.get(way) ?? [];
    const pick = (name: string, fits: (question: Question) => boolean) =>
      averageRow(
        `… ${name}`,
        all.filter((_, number) => fits(questions[number] as Question)),
      );
    const types = at === 0 ? [...new Set(questions.map(({ type }) => type))].sort() : [];
    return [
      averageRow(way.name, all),
      ...(at === 0 ? [pick('without _abs', ({ id }) => !id.endsWith('_abs'))] : []),
      ...types.map((type) => pick(type, (question) => question.type === type)),
    ];
  });
  return { rows, outcomes };
}
