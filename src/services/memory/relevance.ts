// Decides whether a memory helps with a prompt. These memories were not requested, so this is stricter than a search, and
// measures how much of the memory the prompt covers. The thresholds were chosen on the tuning half of bench/quality/relevance.
import type { Node } from '../../graph/node.ts';
import type { SurveyHit } from '../../graph/survey.ts';
import { measureUnknown, weighWords } from './relevance-words.ts';

export interface Judge {
  /** From 0 to 1; relevant from `helpfulFrom`. */
  weigh(node: Pick<Node, 'title' | 'text'>, found: Pick<SurveyHit, 'cosine' | 'background' | 'coverage'>): number;
  /** Whether the text has a topic: "go on" has none. */
  readonly speaks: boolean;
}

export const helpfulFrom = 0.5;

/** Sufficient alone: similarity of meaning, common words, or all words of the prompt more than twice. */
const enough = { cosine: 0.553, shared: 1.78, covered: 2.77 };
/** English texts hardly exceed it. In a language that the table does not know well, all texts are somewhat alike. */
const usualBackground = 0.12;
/** Longer texts share more words by chance: the exponents of the significant words of the memory and of the prompt. */
const chance = { memory: 0.4, prompt: 0.2 };
/** A memory of few words is soon covered completely. */
const fewWords = 4;
/** The weight of the words of a topic. */
const fewestWords = 0.8;
/** How much more words count in a script without similarity of meaning. */
const wordsAlone = 2.5;

/** Words and meaning complement each other: more of one compensates for less of the other. The same in every language. */
export function createJudge(text: string): Judge {
  const asked = weighWords(text);
  const total = sum(asked.values());
  const unknown = measureUnknown(text);
  const share = unknown * wordsAlone + 1 - unknown;
  return {
    speaks: total >= fewestWords,
    weigh({ title, text: words }, { cosine, background, coverage }) {
      const excess = Math.max(0, background - usualBackground);
      const meaning = Math.max(0, (cosine - excess) / (1 - excess));
      const weighed = weighWords(`${title}\n${words}`);
      const common = sum([...weighed].filter(([word]) => asked.has(word)).map(([, weight]) => weight));
      const room = Math.max(fewWords, sum(weighed.values())) ** chance.memory * Math.max(1, total) ** chance.prompt;
      const matched = common / room / enough.shared + coverage / enough.covered;
      return Math.min(1, helpfulFrom * (meaning / enough.cosine + share * matched));
    },
  };
}

/** How relevant a memory is by its words and meaning (`Judge.weigh`), and by the deep stage, if that has read it. */
export interface Judgement {
  fast: number;
  /** The logarithm of the odds. */
  deep?: number;
  /** Whether it is a verbatim turn of a conversation. */
  isTalk: boolean;
}

/** Words and meaning count little beside the deep stage, and turns help less often than facts (tools/rank/relevance). */
const combined = { fast: 2, offset: -0.5, talk: -4 };

/** From 0 to 1, like `Judge.weigh`. */
export function weighJudgement({ fast, deep, isTalk }: Judgement): number {
  if (deep === undefined) return fast;
  const odds = combined.fast * fast + deep + combined.offset + (isTalk ? combined.talk : 0);
  return 1 / (1 + Math.exp(-odds));
}

function sum(weights: Iterable<number>): number {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
}
