// A block that is too long, in pieces: text between sentences, code, lists and tables between lines, and anything else
// where it must be. Code gets its fence again in every piece, a table its head.
import type { Block } from './block.ts';

export function splitBlock(block: Block, target: number, longest: number): Block[] {
  const { kind, text } = block;
  if (text.length <= (kind === 'text' ? target : longest)) return [block];
  if (kind === 'code') return splitCode(block, target, longest);
  if (kind === 'table') return splitTable(block, target);
  return gather(block, cutLines(text, target, kind === 'text'), target);
}

function splitCode(block: Block, target: number, longest: number): Block[] {
  const lines = block.text.split('\n');
  const opening = lines[0] ?? '';
  const [marks] = /^\s*(?:`{3,}|~{3,})/.exec(opening) ?? [];
  if (marks === undefined || opening.length > longest / 4)
    return gather(block, cutLines(block.text, target, false), target);
  const closed = (lines.at(-1) ?? '').trim() === marks.trim() && lines.length > 1;
  const body = { ...block, text: lines.slice(1, closed ? -1 : undefined).join('\n'), line: block.line + 1 };
  return gather(body, cutLines(body.text, target, false), target).map((piece) => ({
    ...piece,
    text: `${opening}\n${piece.text}\n${marks}`,
  }));
}

function splitTable(block: Block, target: number): Block[] {
  const [head = '', rule = '', ...rows] = block.text.split('\n');
  const top = `${head}\n${rule}\n`;
  if (top.length > target / 2) return gather(block, cutLines(block.text, target, false), target);
  const body = { ...block, text: rows.join('\n'), line: block.line + 2 };
  const pieces = gather(body, cutLines(body.text, target - top.length, false), target - top.length);
  return pieces.map((piece) => ({ ...piece, text: top + piece.text }));
}

/** Pieces that, joined, are the text, each with the break at its end; none is longer than asked. */
function cutLines(text: string, most: number, atSentences: boolean): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines
    .flatMap((line) => (line.length <= most ? [line] : cutSentences(line, most)))
    .flatMap((piece) => (atSentences && piece.length > most / 2 ? cutSentences(piece, most) : [piece]));
}

function cutSentences(line: string, most: number): string[] {
  return line
    .split(/(?<=[.!?…][)"'\]]{0,2}[ \t])|(?<=[。！？])/)
    .flatMap((sentence) => (sentence.length <= most ? [sentence] : cutWords(sentence, most)));
}

function cutWords(text: string, most: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + most);
    if (end < text.length) {
      const space = text.slice(at, end).lastIndexOf(' ');
      if (space > most / 2) end = at + space + 1;
      // Never inside a character.
      else if (/[\ud800-\udbff]/.test(text[end - 1] as string)) end--;
    }
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Neighbouring pieces together, as long as they fit. */
function gather(block: Block, pieces: readonly string[], most: number): Block[] {
  const blocks: Block[] = [];
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
  }
  close();
  return blocks;
}
