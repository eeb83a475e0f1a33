// The ways to find that are compared. The first three are the recall tool over what came in by each way; the others are
// the same search with parts of its ranking left out, and query_context, over what `remember` was given turn by turn.
import { LoreError } from '../../src/core/error.ts';
import { chosen, type RankWeights } from '../../src/services/memory/rank.ts';
import { readRanked, searchMemories } from '../../src/services/memory/search-memories.ts';
import { type Intake, type Origin, type Shelf, traceAll } from './conversations.ts';

export interface Way {
  name: string;
  intake: Intake;
  /** Where sessions, not turns, are what is remembered, turns are not told apart. */
  ask(shelf: Shelf, query: string): Promise<Origin[]>;
}

const askRecall: Way['ask'] = (shelf, query) => shelf.recall(query);

export const recallWays: Record<Intake, Way> = {
  turns: { name: 'recall, a memory a turn', intake: 'turns', ask: askRecall },
  sessions: { name: 'recall, a memory a session', intake: 'sessions', ask: askRecall },
  learn: { name: 'recall, what learn kept', intake: 'learn', ask: askRecall },
};

const alone: RankWeights['around'] = [0, 0, 0, 0];

/** What each part is worth. */
export const partWays: readonly Way[] = [
  weigh('words of the memory alone', { session: 0, meaning: 0, time: 0, around: alone }),
  weigh('meaning alone', { own: 0, session: 0, time: 0 }),
  weigh('words and meaning', { session: 0, time: 0, around: alone }),
  weigh('words, with neighbours and session', { meaning: 0, time: 0 }),
  weigh('all but neighbours', { around: alone }),
  weigh('all but the session', { session: 0 }),
  weigh('all but the time', { time: 0 }),
  { name: 'query_context (graph)', intake: 'turns', ask: askContext },
];

function weigh(name: string, change: Partial<RankWeights>): Way {
  const weights = { ...chosen, ...change };
  return {
    name,
    intake: 'turns',
    async ask(shelf, query) {
      const { opened, project } = shelf.tools;
      const { memories } = await searchMemories(opened.graph, { query, projects: [project] }, weights);
      return traceAll(
        shelf,
        (await readRanked(opened.graph, memories)).map(({ node }) => ({
          id: node.id,
          text: node.text,
          session: node.data.session as string,
        })),
      );
    },
  };
}

interface Picture {
  nodes: { id: string; kind: string; text: string }[];
}

/** Only memories: what ties them together answers nothing by itself. */
async function askContext(shelf: Shelf, query: string): Promise<Origin[]> {
  try {
    const { nodes } = await shelf.tools.call<Picture>('query_context', { query, limit: 50, budget_tokens: 50_000 });
    return traceAll(
      shelf,
      nodes.filter(({ kind }) => kind === 'memory'),
    );
  } catch (error) {
    // Refused as too broad: then nothing is found. Anything else is a fault of the bench or the product.
    if (error instanceof LoreError && error.word === 'invalid_input') return [];
    throw error;
  }
}
