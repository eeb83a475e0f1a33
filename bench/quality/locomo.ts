// LoCoMo: a fresh database for every conversation; the turns that answer, and their sessions, are what is ranked.
import type { Conversation } from './locomo-data.ts';
import { measureRecall, orderByScore } from './metrics.ts';
import { type Place, type Session, withShelf } from './shelf.ts';
import { averageRow, type Row } from './table.ts';
import type { Way } from './ways.ts';

const categories = ['', 'multi-hop', 'temporal', 'open', 'single', 'adversarial'];

export async function measureLocomo(
  conversations: readonly Conversation[],
  ways: readonly Way[],
  place: Place,
): Promise<Row[]> {
  const measured = new Map<Way, Record<string, number>[]>(ways.map((way) => [way, []]));
  for (const { sessions, questions } of conversations) {
    const turns = sessions.flatMap((session) => session.turns.map(({ id }) => id));
    const sessionOf = (turn: string) => sessions.findIndex((session) => session.turns.some(({ id }) => id === turn));
    await withShelf(place, sessions.map(toSession), async (find) => {
      for (const { question, evidence } of questions) {
        const hits = await find(question);
        const gold = [...new Set(evidence.map(sessionOf))];
        for (const way of ways) {
          const order = orderByScore(way.rankTurns(hits)).map((at) => turns[at] as string);
          measured.get(way)?.push({
            'turn R@10': measureRecall(order, evidence, 10),
            'session R@5': measureRecall(orderByScore(way.rankSessions(hits)), gold, 5),
          });
        }
      }
    });
  }
  const asked = conversations.flatMap(({ questions }) => questions);
  return ways.flatMap((way) => {
    const all = measured.get(way) ?? [];
    const byCategory = categories.flatMap((name, category) => {
      const some = all.filter((_, at) => asked[at]?.category === category);
      return way.name === 'fused' && some.length > 0 ? [averageRow(`${way.name}, ${name}`, some)] : [];
    });
    return [averageRow(way.name, all), ...byCategory];
  });
}

/** Who speaks, and when, belongs to what is said: questions name both. */
function toSession({ date, turns }: Conversation['sessions'][number]): Session {
  return { date, turns };
}
