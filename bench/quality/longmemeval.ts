// LongMemEval-S: a fresh database for every question; sessions are what is ranked.
import type { Question, Talk } from './longmemeval-data.ts';
import { findAll, findAny, measureNdcg, orderByScore } from './metrics.ts';
import { type Place, type Session, withShelf } from './shelf.ts';
import { averageRow, type Row } from './table.ts';
import type { Way } from './ways.ts';

type Figures = Record<string, number>;

export async function measureLongMemEval(
  questions: readonly Question[],
  ways: readonly Way[],
  place: Place,
): Promise<Row[]> {
  const measured = new Map<Way, Figures[]>(ways.map((way) => [way, []]));
  for (const { question, gold, haystack } of questions) {
    const hits = await withShelf(place, haystack.map(toSession), (find) => find(question));
    for (const way of ways) {
      const order = orderByScore(way.rankSessions(hits)).map((at) => haystack[at]?.id);
      measured.get(way)?.push({
        'any@1': findAny(order, gold, 1),
        'any@5': findAny(order, gold, 5),
        'all@5': findAll(order, gold, 5),
        'all@10': findAll(order, gold, 10),
        'NDCG@10': measureNdcg(order, gold, 10),
      });
    }
  }
  return ways.flatMap((way) => {
    const all = measured.get(way) ?? [];
    const rows = [averageRow(way.name, all)];
    if (!way.main) return rows;
    const pick = (name: string, fits: (question: Question) => boolean) =>
      averageRow(
        `${way.name}, ${name}`,
        all.filter((_, at) => fits(questions[at] as Question)),
      );
    rows.push(pick('without _abs', ({ id }) => !id.endsWith('_abs')));
    const types = way.name === 'fused' ? [...new Set(questions.map(({ type }) => type))].sort() : [];
    return [...rows, ...types.map((type) => pick(type, (question) => question.type === type))];
  });
}

export function toSession({ at, turns }: Talk): Session {
  return { at, turns };
}
