// What every set has in common: sessions are put in once for each intake, and each question is asked in each way.
import { addOutcome, type Origin, type Outcome, type Place, type Session, withShelf } from './conversations.ts';
import type { Way } from './ways.ts';

export type Figures = Record<string, number>;

interface Asked {
  question: string;
  /** When it is asked; otherwise after the last session. */
  at?: number;
}

/** Questions that are asked of the same sessions. */
export interface Round<Q extends Asked> {
  name: string;
  sessions: readonly Session[];
  questions: readonly Q[];
}

export interface Answered {
  /** In the order of the rounds and their questions. */
  figuresOf(way: Way): readonly Figures[];
  outcomes: Record<string, Outcome>;
}

export async function askAll<Q extends Asked>(
  rounds: readonly Round<Q>[],
  ways: readonly Way[],
  place: Place,
  judge: (found: readonly Origin[], asked: Q, way: Way) => Figures,
): Promise<Answered> {
  const figures = new Map<Way, Figures[]>(ways.map((way) => [way, []]));
  const outcomes: Record<string, Outcome> = {};
  for (const { name, sessions, questions } of rounds) {
    for (const intake of new Set(ways.map((way) => way.intake))) {
      await withShelf(place, name, sessions, intake, async (shelf) => {
        addOutcome(outcomes, intake, shelf.outcome);
        for (const asked of questions) {
          if (asked.at !== undefined) shelf.askAt(asked.at);
          for (const way of ways.filter((one) => one.intake === intake))
            figures.get(way)?.push(judge(await way.ask(shelf, asked.question), asked, way));
        }
      });
    }
  }
  return { figuresOf: (way) => figures.get(way) ?? [], outcomes };
}
