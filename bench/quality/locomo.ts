// LoCoMo: a fresh database for every conversation; the turns that answer, and their sessions, are what is ranked.
import type { Conversation } from './locomo-data.ts';
import { measureRecall, orderSessions } from './metrics.ts';
import { addOutcome, type Place, withShelf } from './shelf.ts';
import { averageRow, type Measured, type Row } from './table.ts';
import type { Way } from './ways.ts';

const categories = ['', 'multi-hop', 'temporal', 'open', 'single', 'adversarial'];

export async function measureLocomo(
  conversations: readonly Conversation[],
  ways: readonly Way[],
  place: Place,
): Promise<Measured> {
  const measured = new Map<Way, Record<string, number>[]>(ways.map((way) => [way, []]));
  const outcomes = {};
  for (const [number, { sessions, questions }] of conversations.entries()) {
    const sessionOf = new Map(sessions.flatMap(({ id, turns }) => turns.map((turn) => [turn.id, id] as const)));
    for (const intake of new Set(ways.map((way) => way.intake))) {
      await withShelf(place, `locomo-${number}`, sessions, intake, async (shelf) => {
        addOutcome(outcomes, intake, shelf.outcome);
        for (const { question, evidence } of questions) {
          const gold = [...new Set(evidence.map((turn) => sessionOf.get(turn) as string))];
          for (const way of ways.filter((one) => one.intake === intake)) {
            const found = await way.ask(shelf, question);
            const read = found.slice(0, 10).flatMap(({ turns }) => turns);
            measured.get(way)?.push({
              // A memory that is a whole session tells no turn.
              ...(intake !== 'sessions' && { 'turn R@10': measureRecall(read, evidence, read.length) }),
              'session R@5': measureRecall(orderSessions(found), gold, 5),
            });
          }
        }
      });
    }
  }
  const asked = conversations.flatMap(({ questions }) => questions);
  const rows = ways.flatMap((way, at): Row[] => {
    const all = measured.get(way) ?? [];
    const byCategory = categories.flatMap((name, category) => {
      const some = all.filter((_, number) => asked[number]?.category === category);
      return at === 0 && some.length > 0 ? [averageRow(`… ${name}`, some)] : [];
    });
    return [averageRow(way.name, all), ...byCategory];
  });
  return { rows, outcomes };
}
