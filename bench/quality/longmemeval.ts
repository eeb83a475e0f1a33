// LongMemEval-S: a fresh database for every question; sessions are what is ranked, by the first of their memories.
import { askAll } from './asking.ts';
import type { Place } from './conversations.ts';
import type { Question } from './longmemeval-data.ts';
import { findAll, findAny, measureNdcg, orderSessions } from './metrics.ts';
import { averageRow, type Measured, type Row } from './table.ts';
import type { Way } from './ways.ts';

export async function measureLongMemEval(
  questions: readonly Question[],
  ways: readonly Way[],
  place: Place,
): Promise<Measured> {
  const rounds = questions.map((asked) => ({
    name: `longmemeval-${asked.id}`,
    sessions: asked.haystack,
    questions: [asked],
  }));
  const { figuresOf, outcomes } = await askAll(rounds, ways, place, (found, { gold }) => {
    const order = orderSessions(found);
    return {
      'any@1': findAny(order, gold, 1),
      'any@5': findAny(order, gold, 5),
      'all@5': findAll(order, gold, 5),
      'all@10': findAll(order, gold, 10),
      'NDCG@10': measureNdcg(order, gold, 10),
    };
  });
  const rows = ways.flatMap((way, at): Row[] => {
    const all = figuresOf(way);
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
