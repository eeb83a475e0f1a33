// What every format is read into before it is cut: headings, and the parts between them that belong together.

export interface Block {
  kind: 'heading' | 'text' | 'code' | 'list' | 'table';
  /** As it stands in the document. */
  text: string;
  /** Where it begins in the file, counted from 1. */
  line: number;
  /** Of a heading: 1 is the highest. */
  level?: number;
  /** Of a heading: its words without marks. */
  name?: string;
}

export interface ReadDocument {
  /** What it calls itself. */
  title: string | undefined;
  /** What stands before its text about it, as written there. */
  meta: { [key: string]: string };
  blocks: Block[];
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

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
