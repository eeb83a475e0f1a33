// Splits plain text into paragraphs at blank lines. It has no reliable headings.
import type { Steps } from '../../../../core/steps.ts';
import { type DocumentBlock, type ReadDocument, splitLines } from './block.ts';

/** Lines read in one step. */
const linesAtOnce = 1_000;

export function* readPlain(text: string): Steps<ReadDocument> {
  const blocks: DocumentBlock[] = [];
  const lines = yield* splitLines(text);
  let begin: number | undefined;
  for (let at = 0; at <= lines.length; at++) {
    if (at % linesAtOnce === 0) yield;
    const isBlank = (lines[at] ?? '').trim() === '';
    if (!isBlank) begin ??= at;
    else if (begin !== undefined) {
      blocks.push({ kind: 'text', text: lines.slice(begin, at).join('\n').trimEnd(), line: begin + 1 });
      begin = undefined;
    }
  }
  return { title: undefined, meta: {}, blocks };
}
