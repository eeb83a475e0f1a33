// Extracts facts from a passage or a conversation, as whole sentences with a reason, and counts skipped ones by reason. Rules
// exclude some sentences; a small linear model decides about the rest.
import { runNow, type Steps } from '../../../core/steps.ts';
import { stripLeadIn } from '../../../graph/duplicate/lead-in.ts';
import { readTimePhrase } from '../time/time-phrase.ts';
import { type Conversation, type Role, readTurns, type Turn } from './conversation.ts';
import { cutText } from './cut-text.ts';
import { readClause } from './extract-clause.ts';
import { createContextReader } from './extract-context.ts';
import { stripOpening } from './extract-finish.ts';
import { findCue, isHowto, type KeepReason } from './extract-keep.ts';
import { findRefusalReason } from './extract-output.ts';
import { findLeads, judge, type Placed } from './judge.ts';
import { weights } from './judge-weights.ts';
import { type Sentence, splitSentences } from './sentence.ts';

export type { KeepReason } from './extract-keep.ts';
export { findRefusalReason } from './extract-output.ts';

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

type DropReason =
  | 'private'
  | 'quotation'
  | 'output'
  | 'code'
  | 'question'
  | 'vague'
  | 'unlikely'
  | 'repeat'
  | 'over the limit';
type Verdict = { keep: KeepReason; confidence: number } | { drop: DropReason };

/** Longer sentences are pasted text. */
const longest = 1_500;

interface Extraction {
  /** In the order of the text. */
  facts: Fact[];
  dropped: Partial<Record<DropReason, number>>;
}

const defaultLimit = 200;

export function extractFacts(source: string | Conversation, options: { limit?: number } = {}): Extraction {
  return runNow(pickFacts(source, options));
}

/** Sentences judged in one step. */
const judgedAtOnce = 50;

export function* pickFacts(source: string | Conversation, options: { limit?: number } = {}): Steps<Extraction> {
  const { turns } = typeof source === 'string' ? yield* readTurns(source) : source;
  const dropped: Partial<Record<DropReason, number>> = {};
  const drop = (reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const facts: Fact[] = [];
  const seen = new Set<string>();
  const reader = createContextReader(longest);
  for (const { turn, number, text, isLast } of cutTurns(turns)) {
    yield;
    const sentences = splitSentences(text);
    const settings = findKeyLines(sentences);
    const leads = findLeads(sentences);
    for (const [i, sentence] of sentences.entries()) {
      if (i % judgedAtOnce === judgedAtOnce - 1) yield;
      if (reader.isHead(sentence)) continue;
      const clause = readClause(sentence.text.slice(0, longest));
      const verdict: Verdict = settings.has(i)
        ? { drop: 'output' }
        : judgeSentence({
            sentence,
            clause,
            role: turn.role,
            all: sentences,
            at: i,
            lead: leads[i] ?? '',
            isFirstTurn: number === 0,
          });
      const found = reader.find(sentence, clause);
      reader.pass(sentence, 'drop' in verdict && verdict.drop === 'output');
      const key = sentence.text.toLowerCase();
      const reason =
        'drop' in verdict ? verdict.drop : found === 'missing' ? 'vague' : seen.has(key) ? 'repeat' : undefined;
      if (reason !== undefined) drop(reason);
      if (reason !== undefined || 'drop' in verdict || found === 'missing') continue;
      seen.add(key);
      reader.keep();
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
    }
    if (isLast) reader.endTurn();
  }
  return { facts: keepBest(facts, options.limit ?? defaultLimit, drop), dropped };
}

interface Part {
  turn: Turn;
  /** Of the turn. */
  number: number;
  text: string;
  /** The turn ends with it. */
  isLast: boolean;
}

/** Splits turns into parts that are read in one step; nearly all are one part. */
function* cutTurns(turns: readonly Turn[]): Generator<Part> {
  for (const [number, turn] of turns.entries()) {
    let before: string | undefined;
    for (const text of cutText(turn.text)) {
      if (before !== undefined) yield { turn, number, text: before, isLast: false };
      before = text;
    }
    yield { turn, number, text: before ?? '', isLast: true };
  }
}

function judgeSentence(placed: Placed): Verdict {
  const { text, form } = placed.sentence;
  const refused = text.length > longest ? 'output' : findRefusalReason(text);
  if (refused === 'private' || refused === 'quotation') return { drop: refused };
  if (form === 'code') return { drop: 'code' };
  // One word says nothing, but for scripts that put no space between words; a colon only announces.
  const isWord = !/\s/.test(text) && !/[\u3040-\u9fff\uac00-\ud7af]/.test(text);
  if (form === 'heading' || isWord || /:[*_]*$/.test(text)) return { drop: 'vague' };
  if (refused !== undefined) return { drop: refused };
  const statement = placed.role === 'assistant' ? text : stripLeadIn(text);
  const clause = statement === text ? placed.clause : readClause(statement);
  // Who says "remember that …" has judged it already.
  const confidence = statement === text ? Math.round(judge(placed) * 100) / 100 : 0.95;
  if (confidence < weights.floor[placed.role] && !isDatedEvent(placed)) return { drop: 'unlikely' };
  return { keep: findCue(clause) ?? (isHowto(clause) ? 'howto' : 'fact'), confidence };
}

/** What people say happened, and when. The model has learned from conversations with agents, in which that rarely matters. */
function isDatedEvent({ sentence: { text }, role }: Placed): boolean {
  return role === 'other' && readTimePhrase(text, Date.now()) !== undefined;
}

/** Lines of a settings file without a fence: three or more in a row. A single one may be a note. */
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
    if (!kept) drop('over the limit');
    return kept;
  });
}
