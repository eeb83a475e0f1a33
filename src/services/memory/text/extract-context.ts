// Remembers what stands before a sentence that cannot be understood without it: the sentence it points back to, the
// question it answers, the line that announces a list, the head of a table.
import type { Clause } from './extract-clause.ts';
import type { Sentence } from './sentence.ts';

interface ContextReader {
  /** Whether the sentence is the head of a table, which says nothing by itself. */
  isHead(sentence: Sentence): boolean;
  /** What has to be known to understand the sentence, if anything; 'missing' where nobody said it. */
  find(sentence: Sentence, clause: Clause): { context?: string } | 'missing';
  /** Goes on to the next sentence; one that is `idle` explains nothing. */
  pass(sentence: Sentence, idle: boolean): void;
  /** Somebody else goes on: a question that was asked last is what the next sentence answers. */
  endTurn(): void;
}

export function createContextReader(longest: number): ContextReader {
  let before: string | undefined;
  let lead: string | undefined;
  let head: string | undefined;
  let asked: string | undefined;
  let last: string | undefined;
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
      const isAnswer = answers.test(clause.opening) || needsContext(clause);
      if (asked !== undefined && isAnswer) return { context: asked };
      if (!needsContext(clause)) return {};
      return before === undefined ? 'missing' : { context: before };
    },
    endTurn() {
      asked = last !== undefined && /[?？؟][*_"'」』）)]*$/.test(last) ? last : undefined;
      last = undefined;
    },
    pass({ form, text }, idle) {
      asked = undefined;
      if (form !== 'code') last = text;
      if (form === 'code' || text.length > longest) return;
      if (/:[*_]*$/.test(text)) lead = text;
      else if (form !== 'item') lead = undefined;
      if (!idle) before = text;
    },
  };
}

const answers =
  /(?:^|\s)(?:yes|yeah|yep|no|nope|right|exactly|correct|sure|sí|oui|ja|nein|да|нет|对|是的|はい)(?![\p{L}])/iu;

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
