// Remembers what stands before a sentence that cannot be understood without it: the sentence it points back to, the line
// that announces a list, the head of a table.
import type { Clause } from './extract-clause.ts';
import type { Sentence } from './sentence.ts';

interface ContextReader {
  /** Whether the sentence is the head of a table, which says nothing by itself. */
  isHead(sentence: Sentence): boolean;
  /** What has to be known to understand the sentence, if anything. */
  find(sentence: Sentence, clause: Clause): string | undefined;
  /** Goes on to the next sentence; one that is `idle` explains nothing. */
  pass(sentence: Sentence, idle: boolean): void;
}

export function createContextReader(longest: number): ContextReader {
  let before: string | undefined;
  let lead: string | undefined;
  let head: string | undefined;
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
      if (sentence.form === 'row') return head;
      if (sentence.form === 'item' && lead !== undefined) return lead;
      return needsContext(clause) ? before : undefined;
    },
    pass({ form, text }, idle) {
      if (form === 'code' || text.length > longest) return;
      if (/:[*_]*$/.test(text)) lead = text;
      else if (form !== 'item') lead = undefined;
      if (!idle) before = text;
    },
  };
}

/** Whether a sentence points back to the one before it. */
function needsContext({ low, opening }: Clause): boolean {
  if (
    /^(?:it|its|it's|they|their|they're|he|she|his|her|them|both|neither|otherwise|instead|there|the (?:latter|former|same))\b/.test(
      low,
    )
  ) {
    return true;
  }
  if (/^(?:then|still|however|besides)/.test(opening)) return true;
  return /^(?:this|that|these|those|that's)\b(?! (?:repo|repository|project|codebase|team|company))/.test(low);
}
