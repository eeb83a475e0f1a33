// Decides whether a memory helps with a prompt. These memories were not requested, so this is stricter than a search, and
// measures how much of the memory the prompt covers. The thresholds were chosen on the tuning half of bench/quality/relevance.
import type { Node } from '../../graph/node.ts';
import type { SurveyHit } from '../../graph/survey.ts';
import { measureLatin, weighWords } from './relevance-words.ts';

export interface Judge {
  /** From 0 to 1; relevant from `helpfulFrom`. */
  weigh(node: Pick<Node, 'title' | 'text'>, found: Pick<SurveyHit, 'cosine' | 'background'>): number;
  /** Whether the text has a topic: "go on" has none. */
  readonly speaks: boolean;
}

export const helpfulFrom = 0.5;

/** Sufficient alone: similarity of meaning, or the share of a memory's significant words. Lower in scripts without meaning. */
const enough = { cosine: 0.65, shared: 0.25, sharedForeign: 0.1 };
/** English texts hardly exceed it. In a language that the table does not know well, all texts are somewhat alike. */
const usualBackground = 0.12;
/** Longer texts share more words by chance. */
const chance = 0.4;
/** A memory of few words is soon covered completely. */
const fewWords = 4;

/** Words and meaning complement each other: more of one compensates for less of the other. */
export function createJudge(text: string): Judge {
  const asked = weighWords(text);
  const total = sum(asked.values());
  const latin = measureLatin(text);
  const enoughShared = latin * enough.shared + (1 - latin) * enough.sharedForeign;
  return {
    speaks: total >= 0.8 + 0.2 * latin,
    weigh({ title, text: words }, { cosine, background }) {
      const excess = Math.max(0, background - usualBackground);
      const meaning = Math.max(0, (cosine - excess) / (1 - excess));
      const weighed = weighWords(`${title}\n${words}`);
      const common = [...weighed].filter(([word]) => asked.has(word)).map(([, weight]) => weight);
      const shared = sum(common) / (Math.max(fewWords, sum(weighed.values())) * Math.max(1, total) ** chance);
      return Math.min(1, helpfulFrom * ((latin * meaning) / enough.cosine + shared / enoughShared));
    },
  };
}

/** How relevant a memory is by its words and meaning (`Judge.weigh`), and by the deep stage, if that has read it. */
export interface Judgement {
  fast: number;
  /** The logarithm of the odds; not finite if the memory could not be read. */
  deep?: number;
}

/** Fitted by tools/rank/relevance. */
const learned = { fast: 5.6, deep: 0.7, offset: -0.35 };

/** From 0 to 1, like `Judge.weigh`. */
export function weighJudgement({ fast, deep }: Judgement): number {
  if (deep === undefined || !Number.isFinite(deep)) return fast;
  return 1 / (1 + Math.exp(-(learned.fast * fast + learned.deep * deep + learned.offset)));
}

function sum(weights: Iterable<number>): number {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
}
