// LoCoMo: a fresh database for every conversation; the turns that answer, and their sessions, are what is ranked.
import { askAll } from './asking.ts';
import type { Place } from './conversations.ts';
import type { Conversation } from './locomo-data.ts';
import { measureRecall, orderSessions } from './metrics.ts';
import { averageRow, type Measured, type Row } from './table.ts';
import type { Way } from './ways.ts';

const categories = ['', 'multi-hop', 'temporal', 'open', 'single', 'adversarial'];

export async function measureLocomo(
  conversations: readonly Conversation[],
  ways: readonly Way[],
  place: Place,
): Promise<Measured> {
  const rounds = conversations.map(({ sessions, questions }, number) => {
    const sessionOf = new Map(sessions.flatMap(({ id, turns }) => turns.map((turn) => [turn.id, id] as const)));
    const goldOf = (evidence: readonly string[]) => [...new Set(evidence.map((turn) => sessionOf.get(turn) as string))];
    return {
      name: `locomo-${number}`,
      sessions,
      questions: questions.map((asked) => ({ ...asked, gold: goldOf(asked.evidence) })),
    };
  });
  const { figuresOf, outcomes } = await askAll(rounds, ways, place, (found, { evidence, gold }, { intake }) => {
    const read = found.slice(0, 10).flatMap(({ turns }) => turns);
    return {
      // A memory that is a whole session tells no turn.
      ...(intake !== 'sessions' && { 'turn R@10': measureRecall(read, evidence, read.length) }),
      'session R@5': measureRecall(orderSessions(found), gold, 5),
    };
  });
  const asked = conversations.flatMap(({ questions }) => questions);
  const rows = ways.flatMap((way, at): Row[] => {
    const all = figuresOf(way);
    const byCategory = categories.flatMap((name, category) => {
      const some = all.filter((_, number) => asked[number]?.category === category);
      return at === 0 && some.length > 0 ? [averageRow(`… ${name}`, some)] : [];
    });
    return [averageRow(way.name, all), ...byCategory];
  });
  return { rows, outcomes };
}
