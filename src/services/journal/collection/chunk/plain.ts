// Plain text as blocks: paragraphs with blank lines between them. There are no headings to trust in it.
import { type Block, type ReadDocument, splitLines } from './block.ts';

export function readPlain(text: string): ReadDocument {
  const blocks: Block[] = [];
  const lines = splitLines(text);
  let begin: number | undefined;
  for (let at = 0; at <= lines.length; at++) {
    const isBlank = (lines[at] ?? '').trim() === '';
    if (!isBlank) begin ??= at;
    else if (begin !== undefined) {
      blocks.push({ kind: 'text', text: lines.slice(begin, at).join('\n').trimEnd(), line: begin + 1 });
      begin = undefined;
    }
  }
  return { title: undefined, meta: {}, blocks };
}
