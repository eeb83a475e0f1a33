// Extracts what is worth keeping from a passage or a conversation, as whole, unaltered sentences, each with its reason; and
// counts what was left out and why. No model: a sentence is kept when it states something and nothing says it is idle talk.
import { type Conversation, type Role, readConversation } from './conversation.ts';
import { readClause } from './extract-clause.ts';
import { createContextReader } from './extract-context.ts';
import type { DropReason } from './extract-drop.ts';
import { stripOpening } from './extract-finish.ts';
import { judgeSentence, longest, type Verdict } from './extract-judge.ts';
import type { KeepReason } from './extract-keep.ts';
import { type Sentence, splitSentences } from './sentence.ts';

export type { DropReason } from './extract-drop.ts';
export type { KeepReason } from './extract-keep.ts';
export { refuseText } from './extract-output.ts';

export interface Fact {
  /** The sentence, without the words that only open it. */
  text: string;
  /** The sentence as it was written. */
  said: string;
  /** The sentence before it, where it cannot be understood without. */
  context?: string;
  role: Role;
  speaker: string;
  reason: KeepReason;
  confidence: number;
  /** Which turn it is from. */
  turn: number;
  /** The time the transcript gives for the turn. */
  at?: string;
}

interface Extraction {
  /** In the order of the text. */
  facts: Fact[];
  dropped: Partial<Record<DropReason, number>>;
}

const defaultLimit = 200;

export function extractFacts(source: string | Conversation, options: { limit?: number } = {}): Extraction {
  const { turns, form } = typeof source === 'string' ? readConversation(source) : source;
  const dropped: Partial<Record<DropReason, number>> = {};
  const drop = (reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const facts: Fact[] = [];
  const seen = new Set<string>();
  const reader = createContextReader(longest);
  turns.forEach((turn, number) => {
    const sentences = splitSentences(turn.text);
    const settings = findKeyLines(sentences);
    sentences.forEach((sentence, i) => {
      if (reader.isHead(sentence)) return;
      const clause = readClause(sentence.text.slice(0, longest));
      const verdict: Verdict = settings.has(i)
        ? { drop: 'output' }
        : judgeSentence(sentence, clause, turn, form === 'passage');
      const found = reader.find(sentence, clause);
      reader.pass(sentence, 'drop' in verdict && (verdict.drop === 'output' || verdict.drop === 'greeting'));
      const key = sentence.text.toLowerCase();
      const reason =
        'drop' in verdict ? verdict.drop : found === 'missing' ? 'vague' : seen.has(key) ? 'repeat' : undefined;
      if (reason !== undefined) drop(reason);
      if (reason !== undefined || 'drop' in verdict || found === 'missing') return;
      seen.add(key);
      facts.push({
        text: stripOpening(sentence.text),
        said: sentence.text,
        ...found,
        role: turn.role,
        speaker: turn.speaker,
        reason: verdict.keep,
        confidence: verdict.confidence,
        turn: number,
        ...(turn.at === undefined ? {} : { at: turn.at }),
      });
    });
    reader.endTurn();
  });
  return { facts: keepBest(facts, options.limit ?? defaultLimit, drop), dropped };
}

/** Lines of a settings file pasted without a fence: three or more in a row. One alone may be somebody's note. */
function findKeyLines(sentences: readonly Sentence[]): Set<number> {
  const lines = new Set<number>();
  let run = 0;
  for (let i = 0; i <= sentences.length; i++) {
    if (/^[a-z][\w.-]*: ?\S*$/.test(sentences[i]?.text ?? '')) run++;
    else {
      for (let k = i - run; run >= 3 && k < i; k++) lines.add(k);
      run = 0;
    }
  }
  return lines;
}

/** The best by confidence, in the order of the text. */
function keepBest(facts: Fact[], limit: number, drop: (reason: DropReason) => void): Fact[] {
  if (facts.length <= limit) return facts;
  const floor = facts.map(({ confidence }) => confidence).sort((a, b) => b - a);
  const least = floor[limit - 1] ?? 0;
  let equal = limit - floor.filter((confidence) => confidence > least).length;
  return facts.filter(({ confidence }) => {
    const kept = confidence > least || (confidence === least && equal-- > 0);
    if (!kept) drop('excess');
    return kept;
  });
}
