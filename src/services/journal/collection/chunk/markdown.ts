// Splits Markdown into blocks, line by line: headings of both styles, fenced code, whole lists and tables, paragraphs.
// Anything else is a paragraph, so no line is lost.
import type { Steps } from '../../../../core/steps.ts';
import { type DocumentBlock, plainName, type ReadDocument, splitLines } from './block.ts';
import { readFrontMatter } from './front-matter.ts';

/** Lines read in one step. */
const linesAtOnce = 500;

export function* readMarkdown(text: string): Steps<ReadDocument> {
  const lines = yield* splitLines(text);
  const front = readFrontMatter(lines);
  const blocks: DocumentBlock[] = [];
  let { title } = front.meta;
  let paused = 0;
  for (let at = front.lines; at < lines.length; ) {
    const block: Taken | undefined = isBlank(lines[at]) ? undefined : yield* readBlock(lines, at);
    if (block) blocks.push(block.block);
    if (block?.block.level === 1) title ??= block.block.name;
    at = block?.next ?? at + 1;
    if (at - paused < linesAtOnce) continue;
    paused = at;
    yield;
  }
  return { title, meta: front.meta, blocks };
}

interface Taken {
  block: DocumentBlock;
  /** The line after it. */
  next: number;
}

function* readBlock(lines: readonly string[], at: number): Steps<Taken> {
  const line = lines[at] as string;
  const heading = readHeading(line);
  if (heading) return { block: { kind: 'heading', text: line.trim(), line: at + 1, ...heading }, next: at + 1 };
  if (openFence(line)) return take('code', lines, at, endOfFence(lines, at));
  if (isItem(line)) return take('list', lines, at, yield* endOfList(lines, at));
  return yield* readParagraph(lines, at);
}

function take(kind: DocumentBlock['kind'], lines: readonly string[], at: number, next: number): Taken {
  return { block: { kind, text: lines.slice(at, next).join('\n').trimEnd(), line: at + 1 }, next };
}

/** Up to a blank line or an interrupting block; if underlined, it is a heading. */
function* readParagraph(lines: readonly string[], at: number): Steps<Taken> {
  let next = at + 1;
  for (; next < lines.length && !isBlank(lines[next]); next++) {
    if ((next - at) % linesAtOnce === 0) yield;
    const line = lines[next] as string;
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1];
    if (underline !== undefined && !isQuote(lines[at])) {
      const { block } = take('heading', lines, at, next + 1);
      const name = plainName(lines.slice(at, next).join(' '));
      return { block: { ...block, level: underline[0] === '=' ? 1 : 2, name }, next: next + 1 };
    }
    if (readHeading(line) || openFence(line) || isItem(line)) break;
  }
  return take(isTable(lines, at, next) ? 'table' : 'text', lines, at, next);
}

function readHeading(line: string): { level: number; name: string } | undefined {
  const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (!marks) return undefined;
  const words = line.slice(marks[0].length).trim();
  // Trailing marks close it if a space precedes them.
  let end = words.length;
  while (end > 0 && words[end - 1] === '#') end--;
  const closed = end === 0 || /[ \t]/.test(words[end - 1] as string);
  return { level: (marks[1] as string).length, name: plainName(closed ? words.slice(0, end) : words) };
}

interface Fence {
  mark: string;
  length: number;
}

function openFence(line: string): Fence | undefined {
  const [, marks, info] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === undefined || (marks[0] === '`' && info?.includes('`'))) return undefined;
  return { mark: marks[0] as string, length: marks.length };
}

/** An unclosed fence extends to the end. */
function endOfFence(lines: readonly string[], at: number): number {
  const { mark, length } = openFence(lines[at] as string) as Fence;
  for (let next = at + 1; next < lines.length; next++) {
    const line = (lines[next] as string).trim();
    if (line.length >= length && line === mark.repeat(line.length)) return next + 1;
  }
  return lines.length;
}

/** With all its items, their indented content, and the blank lines between. */
function* endOfList(lines: readonly string[], at: number): Steps<number> {
  let end = at + 1;
  for (let next = at + 1; next < lines.length; ) {
    if ((next - at) % linesAtOnce === 0) yield;
    const line = lines[next] as string;
    if (isBlank(line)) {
      next++;
      continue;
    }
    const goesOn = end === next && !readHeading(line) && !openFence(line);
    if (!goesOn && !isItem(line) && !/^(?: {2}|\t)/.test(line)) break;
    next = openFence(line) ? endOfFence(lines, next) : next + 1;
    end = next;
  }
  return end;
}

function isTable(lines: readonly string[], at: number, next: number): boolean {
  const rule = lines[at + 1];
  return (
    next > at + 1 &&
    rule !== undefined &&
    /^[ \t|:-]+$/.test(rule) &&
    rule.includes('-') &&
    (lines[at] as string).includes('|')
  );
}

function isItem(line: string): boolean {
  return /^\s{0,8}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/.test(line) && !/^[ \t]*([-*])(?:[ \t]*\1){2,}[ \t]*$/.test(line);
}

function isQuote(line: string | undefined): boolean {
  return /^ {0,3}>/.test(line ?? '');
}

function isBlank(line: string | undefined): boolean {
  return (line ?? '').trim() === '';
}
