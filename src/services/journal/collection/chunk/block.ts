// The common form of all document formats before they are split: headings, and blocks between them.
import type { Steps } from '../../../../core/steps.ts';

export interface DocumentBlock {
  kind: 'heading' | 'text' | 'code' | 'list' | 'table';
  /** Verbatim from the document. */
  text: string;
  /** Line number in the file, from 1. */
  line: number;
  /** Of a heading: 1 is the highest. */
  level?: number;
  /** Of a heading: its text without markup. */
  name?: string;
}

export interface ReadDocument {
  /** Its own title. */
  title: string | undefined;
  /** Its front matter, verbatim. */
  meta: { [key: string]: string };
  blocks: DocumentBlock[];
}

const longestName = 200;

/** A heading's words: without emphasis, code marks, link targets and an anchor at its end. */
export function plainName(text: string): string {
  return text
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestName);
}

/** Characters split in one step. */
const splitAtOnce = 50_000;

export function* splitLines(text: string): Steps<string[]> {
  const lines: string[] = [];
  const ends = /\r\n|\n|\r/g;
  let start = 0;
  let paused = 0;
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    lines.push(text.slice(start, end.index));
    start = ends.lastIndex;
    if (start - paused < splitAtOnce) continue;
    paused = start;
    yield;
  }
  lines.push(text.slice(start));
  return lines;
}
