// Whether one sentence is worth keeping, and for which reason. Idle talk is known by its phrases, a fact by stating something
// with words of its own; where a cue for keeping meets one for dropping, the order of the questions here decides.
import type { Role, Turn } from './conversation-turn.ts';
import type { Clause } from './extract-clause.ts';
import { type DropReason, findGuess, findIdle, findPassing, isAgentAct, isOrder } from './extract-drop.ts';
import { findCue, isCommandWithPurpose, isHowto, isStandingOrder, type KeepReason } from './extract-keep.ts';
import { refuseText } from './extract-output.ts';
import { contentOf, hasVerb, isForeign, isSpecific } from './extract-words.ts';
import type { Sentence } from './sentence.ts';

export type Verdict = { keep: KeepReason; confidence: number } | { drop: DropReason };

/** Nobody says a sentence of this length; it is something pasted. */
export const longest = 1_500;

export function judgeSentence(sentence: Sentence, clause: Clause, turn: Turn, passage: boolean): Verdict {
  // One word says nothing, but for scripts that put no space between words.
  if (!/\s/.test(sentence.text) && !/[\u3040-\u9fff\uac00-\ud7af]/.test(sentence.text)) return { drop: 'vague' };
  const refused = sentence.text.length > longest ? 'output' : refuseText(sentence.text);
  if (refused === 'private' || refused === 'quotation') return { drop: refused };
  if (sentence.form === 'code') return { drop: 'code' };
  if (sentence.form === 'heading') return { drop: 'vague' };
  if (refused === 'output') return { drop: refused };
  if (sentence.form === 'row') return judgeRow(sentence.text);
  // What only announces the list or the code behind it.
  if (/:[*_]*$/.test(sentence.text)) return { drop: 'vague' };
  const idle = findIdle(clause);
  if (idle !== undefined) return { drop: idle };
  const cue = findCue(clause);
  const guess = findGuess(clause);
  const chosen = cue === 'decision' && /^i think (?:i|we)\b/.test(clause.low);
  if (guess !== undefined && cue !== 'gotcha' && cue !== 'preference' && !chosen) return { drop: guess };
  if (isAgentAct(clause, turn.role) && cue !== 'fix' && cue !== 'gotcha') return { drop: 'progress' };
  if (cue !== undefined) return judgeCue(clause, cue, turn.role);
  if (isHowto(clause))
    return isSpecific(clause.text) || isCommandWithPurpose(clause)
      ? { keep: 'howto', confidence: 0.7 }
      : { drop: 'vague' };
  const passing = findPassing(clause, turn);
  if (passing !== undefined) return { drop: passing };
  if (isOrder(clause)) return judgeOrder(clause, turn.role, passage);
  return judgeStatement(clause, turn.role);
}

function judgeCue(clause: Clause, cue: KeepReason, role: Role): Verdict {
  const content = contentOf(clause.tokens);
  if (content.length < 2 && !isSpecific(clause.text)) return { drop: 'vague' };
  const confidence = { fact: 0.6, personal: 0.6, howto: 0.7 } as Partial<Record<KeepReason, number>>;
  const base = confidence[cue] ?? 0.8;
  return {
    keep: cue,
    confidence: round(base + (isSpecific(clause.text) ? 0.1 : 0) - (role === 'assistant' ? 0.05 : 0)),
  };
}

function judgeOrder(clause: Clause, role: Role, passage: boolean): Verdict {
  if (contentOf(clause.tokens).length < 2) return { drop: 'request' };
  if (/\b(?:again|once more|one more time|for now|this time)\b/.test(clause.low)) return { drop: 'request' };
  if (isStandingOrder(clause)) return { keep: 'rule', confidence: role === 'assistant' ? 0.55 : 0.7 };
  // An agent's orders are mostly its plan; what to type is for anyone.
  const typed =
    passage ||
    (role === 'assistant' &&
      /^(?:please |then |first |just )?(?:run|use|execute|call|invoke|type|start|install)\b/.test(clause.low));
  if (typed && isCommandWithPurpose(clause)) return { keep: 'howto', confidence: 0.65 };
  return { drop: 'request' };
}

function judgeStatement(clause: Clause, role: Role): Verdict {
  const { tokens, text, low } = clause;
  if (isForeign(text, tokens)) {
    return text.length >= 12 ? { keep: 'fact', confidence: 0.4 } : { drop: 'vague' };
  }
  const content = contentOf(tokens);
  const specific = isSpecific(text);
  const pair = clause.named || /^[\p{L}][\p{L}\p{N} _./-]{1,40}: \S/u.test(text);
  if (!pair && (tokens.length < 3 || !hasVerb(tokens)) && !looksFinite(clause)) return { drop: 'vague' };
  const pronoun = /^(?:it|this|that|they|these|those|he|she|that's|it's|there|there's|which)\b/.test(low);
  const bar = role === 'assistant' && !specific ? 3 : 2;
  if (role === 'assistant' && /^(?:needs?|should|must|worth|acceptable|recommended|or)\b/.test(low))
    return { drop: 'vague' };
  // What an agent says of nothing in particular is common knowledge.
  const definite = /^(?:the|our|your|this|that|these|those|it|its|both|all|each|every|no|neither|only)\b/.test(low);
  if (role === 'assistant' && !specific && (!definite || clause.named)) return { drop: 'vague' };
  const needed = pair ? 1 : /^(?:that's|this is|that is|it's)\b/.test(low) ? 3 : bar;
  if (content.length < needed) return { drop: 'vague' };
  const personal = role !== 'assistant' && /^(?:i|i'm|i've|i'd|my|me)\b/.test(low);
  let confidence = 0.5 + (specific ? 0.1 : 0) + Math.min(0.1, content.length * 0.02);
  if (pronoun) confidence -= 0.1;
  if (role === 'assistant') confidence -= 0.1;
  if (tokens.length > 45) confidence -= 0.1;
  return { keep: personal ? 'personal' : 'fact', confidence: round(confidence) };
}

/** A verb nobody listed: in a whole sentence, some word in -s or -ed behind another word and before a third. */
function looksFinite({ tokens, text }: Clause): boolean {
  if (tokens.length < 4 || !/[.!]["')\]]*$/.test(text)) return false;
  return tokens.some((token, i) => i > 0 && i < tokens.length - 1 && /(?:[^su]s|ed)$/.test(token) && token.length > 3);
}

function judgeRow(text: string): Verdict {
  const cells = text.split('|').filter((cell) => cell.trim() !== '');
  return cells.length >= 2 && /\p{L}/u.test(text) ? { keep: 'fact', confidence: 0.35 } : { drop: 'vague' };
}

function round(value: number): number {
  return Math.round(Math.min(0.99, Math.max(0, value)) * 100) / 100;
}
