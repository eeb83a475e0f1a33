// Whether a memory helps a prompt. A prompt is given memories that nobody asked for, so this is stricter than a search, and
// counts how much of the memory the prompt is about, which a search does not. The bounds were chosen on the tuning half of
// bench/quality/relevance.
import type { Node } from '../../graph/node.ts';
import { measureLatin, weighWords } from './relevance-words.ts';

export interface Judge {
  /** From 0 to 1: what has `helpfulFrom` or more has to do with the text. */
  weigh(node: Pick<Node, 'title' | 'text'>, cosine: number): number;
  /** Whether the text speaks of anything: "go on" does not. */
  readonly speaks: boolean;
}

export const helpfulFrom = 0.5;

/** Enough alone: so much likeness of meaning, or so much of a memory's telling words. In scripts without meaning, less. */
const enough = { cosine: 0.65, shared: 0.25, sharedForeign: 0.1 };
/** The more words a text has, the more it shares with others by chance. */
const chance = 0.4;
/** A memory of few words shares all of them soon. */
const fewWords = 4;

/** Words and meaning vouch for each other: more of one makes up for less of the other. */
export function createJudge(text: string): Judge {
  const asked = weighWords(text);
  const told = sum(asked.values());
  const latin = measureLatin(text);
  const enoughShared = latin * enough.shared + (1 - latin) * enough.sharedForeign;
  return {
    speaks: told >= 0.8 + 0.2 * latin,
    weigh({ title, text: words }, cosine) {
      const said = weighWords(`${title}\n${words}`);
      const common = [...said].filter(([word]) => asked.has(word)).map(([, weight]) => weight);
      const shared = sum(common) / (Math.max(fewWords, sum(said.values())) * Math.max(1, told) ** chance);
      return Math.min(1, helpfulFrom * ((latin * Math.max(0, cosine)) / enough.cosine + shared / enoughShared));
    },
  };
}

function sum(weights: Iterable<number>): number {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
}
