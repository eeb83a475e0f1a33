// Splits a block that is too long: text between sentences, code, lists and tables between lines, anything else anywhere.
// Every piece of code gets its fence, and every piece of a table its header.
import type { Steps } from '../../../../core/steps.ts';
import type { DocumentBlock } from './block.ts';

/** Characters of a block that are split in one step. */
const cutAtOnce = 16_000;

export function* splitBlock(block: DocumentBlock, target: number, longest: number): Steps<DocumentBlock[]> {
  const { kind, text } = block;
  if (text.length <= (kind === 'text' ? target : longest)) return [block];
  if (kind === 'code') return yield* splitCode(block, target, longest);
  if (kind === 'table') return yield* splitTable(block, target);
  return yield* gather(block, cutLines(text, target, kind === 'text'), target);
}

function* splitCode(block: DocumentBlock, target: number, longest: number): Steps<DocumentBlock[]> {
  const lines = block.text.split('\n');
  const opening = lines[0] ?? '';
  const [marks] = /^\s*(?:`{3,}|~{3,})/.exec(opening) ?? [];
  if (marks === undefined || opening.length > longest / 4)
    return yield* gather(block, cutLines(block.text, target, false), target);
  const closed = (lines.at(-1) ?? '').trim() === marks.trim() && lines.length > 1;
  const body = { ...block, text: lines.slice(1, closed ? -1 : undefined).join('\n'), line: block.line + 1 };
  return (yield* gather(body, cutLines(body.text, target, false), target)).map((piece) => ({
    ...piece,
    text: `${opening}\n${piece.text}\n${marks}`,
  }));
}

function* splitTable(block: DocumentBlock, target: number): Steps<DocumentBlock[]> {
  const [head = '', rule = '', ...rows] = block.text.split('\n');
  const top = `${head}\n${rule}\n`;
  if (top.length > target / 2) return yield* gather(block, cutLines(block.text, target, false), target);
  const body = { ...block, text: rows.join('\n'), line: block.line + 2 };
  const pieces = yield* gather(body, cutLines(body.text, target - top.length, false), target - top.length);
  return pieces.map((piece) => ({ ...piece, text: top + piece.text }));
}

/** Pieces that, joined, are the text, each with the break at its end; none is longer than asked. */
function* cutLines(text: string, most: number, atSentences: boolean): Generator<string> {
  for (const line of eachLine(text)) {
    for (const piece of line.length <= most ? [line] : cutSentences(line, most)) {
      if (atSentences && piece.length > most / 2) yield* cutSentences(piece, most);
      else yield piece;
    }
  }
}

/** With their ends. */
function* eachLine(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf('\n', from);
    const to = found < 0 ? text.length : found + 1;
    yield text.slice(from, to);
    from = to;
  }
}

function* cutSentences(line: string, most: number): Generator<string> {
  let from = 0;
  for (const { index, 0: end } of line.matchAll(/[.!?…][)"'\]]{0,2}[ \t]|[。！？]/g)) {
    yield* cutWords(line.slice(from, index + end.length), most);
    from = index + end.length;
  }
  yield* cutWords(line.slice(from), most);
}

function* cutWords(text: string, most: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + most);
    if (end < text.length) {
      const space = text.slice(at, end).lastIndexOf(' ');
      if (space > most / 2) end = at + space + 1;
      // Never inside a character.
      else if (/[\ud800-\udbff]/.test(text[end - 1] as string)) end--;
    }
    yield text.slice(at, end);
    at = end;
  }
}

/** Neighbouring pieces together, as long as they fit. */
function* gather(block: DocumentBlock, pieces: Iterable<string>, most: number): Steps<DocumentBlock[]> {
  const blocks: DocumentBlock[] = [];
  let spent = 0;
  let text = '';
  let { line } = block;
  const close = () => {
    if (text.trim() !== '') blocks.push({ ...block, text: text.trimEnd(), line });
    line += text.split('\n').length - 1;
    text = '';
  };
  for (const piece of pieces) {
    if (text !== '' && text.length + piece.length > most) close();
    text += piece;
    spent += piece.length;
    if (spent < cutAtOnce) continue;
    spent = 0;
    yield;
  }
  close();
  return blocks;
}
