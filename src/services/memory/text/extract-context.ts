// Tracks the context that a sentence needs: the sentence it refers to, the question it answers, the line that introduces a
// list, the header of a table.
import type { Clause } from './extract-clause.ts';
import type { Sentence } from './sentence.ts';

interface ContextReader {
  /** Whether the sentence is a table header, which means nothing alone. */
  isHead(sentence: Sentence): boolean;
  /** The context that the sentence needs, if any; 'missing' if it is not in the text. */
  find(sentence: Sentence, clause: Clause): { context?: string } | 'missing';
  /** Moves to the next sentence; an `idle` one provides no context. */
  pass(sentence: Sentence, idle: boolean): void;
  /** The sentence is stored: the next ones do not answer the question. */
  keep(): void;
  /** Another speaker follows, who answers the last question. */
  endTurn(): void;
}

export function createContextReader(longest: number): ContextReader {
  let before: string | undefined;
  let lead: string | undefined;
  let head: string | undefined;
  let asked: string | undefined;
  let last: string | undefined;
  let isFirst = true;
  return {
    isHead(sentence) {
      if (sentence.form !== 'row') head = undefined;
      else if (head === undefined) {
        head = sentence.text;
        return true;
      }
      return false;
    },
    find(sentence, clause) {
      if (sentence.form === 'row') return withContext(head);
      if (sentence.form === 'item' && lead !== undefined) return { context: lead };
      const pointsBack = needsContext(clause);
      if (asked !== undefined && (isFirst || !pointsBack)) return { context: asked };
      if (!pointsBack) return {};
      return before === undefined ? 'missing' : { context: before };
    },
    keep() {
      asked = undefined;
    },
    endTurn() {
      isFirst = true;
      asked = last !== undefined && /[?？؟][*_"'」』）)]*$/.test(last) ? last : undefined;
      last = undefined;
    },
    pass({ form, text }, idle) {
      isFirst = false;
      if (form !== 'code') last = text;
      if (form === 'code' || text.length > longest) return;
      if (/:[*_]*$/.test(text)) lead = text;
      else if (form !== 'item') lead = undefined;
      if (!idle) before = text;
    },
  };
}

function withContext(context: string | undefined): { context?: string } {
  return context === undefined ? {} : { context };
}

/** Whether a sentence points back to the one before it. */
function needsContext({ low, opening }: Clause): boolean {
  if (
    /^(?:it(?! (?:turn(?:s|ed) out|(?:is|was) (?:decided|agreed|required|necessary|forbidden|not allowed)))|its|it's|they|their|they're|he|she|his|her|them|both|neither|otherwise|instead|the (?:latter|former|same))\b/.test(
      low,
    )
  ) {
    return true;
  }
  if (/^(?:then|still|however|besides)/.test(opening)) return true;
  return /^(?:this|that|these|those|that's)\b(?! (?:repo|repository|project|codebase|team|company))/.test(low);
}
