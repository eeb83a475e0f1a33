// Reads notes in Markdown (MEMORY.md, CLAUDE.md, a memory bank): every item and paragraph is a memory, with its headings and
// parent items as context. Code belongs to the text that introduces it.

import { findBlocks, type TextBlock } from '../text/sentence-blocks.ts';
import { offer, type Piece } from './import-piece.ts';

interface Notes {
  name: string;
  statedAt?: number | undefined;
  /** Other notes are read too: lines that only point to those say nothing. */
  amongOthers?: boolean;
}

interface Note {
  text: string;
  context: string;
  /** Code that follows belongs to it. */
  open: boolean;
  /** Why it is not a memory. */
  none?: Piece;
}

const longestContext = 300;
const longestCode = 4_000;
const fewWords = 3;

export function readMarkdown(markdown: string, { name, statedAt, amongOthers = false }: Notes): Piece[] {
  const { text: body, about } = takeFrontMatter(markdown.replaceAll('\r\n', '\n'));
  const source = body.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
  const { blocks, view } = findBlocks(source);
  const headings: { level: number; text: string }[] = [];
  const parents: { indent: number; text: string }[] = [];
  const notes: Note[] = [];

  const add = (text: string, open = true) => {
    const none = judge(text, amongOthers);
    if (none) return void notes.push({ text, context: '', open, none });
    const above = [about, ...headings.map((heading) => heading.text), ...parents.map((parent) => parent.text)];
    const context = above.filter((word) => word !== '');
    // A word or two say something only under their heading.
    const isShort = text.split(/\s+/).length < fewWords && context.length > 0;
    notes.push({
      text: isShort ? `${context.at(-1)?.replace(/:$/, '')}: ${text}` : text,
      context: (isShort ? context.slice(0, -1) : context).join(' › ').slice(0, longestContext),
      open,
    });
  };

  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as TextBlock;
    const text = unwrap(view.slice(block.start, block.end));
    if (block.form === 'heading') {
      const level = levelOf(source, block);
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      parents.length = 0;
      headings.push({ level, text: generic.test(text) ? '' : text });
    } else if (block.form === 'item') {
      const indent = indentOf(source, block);
      while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
      const next = blocks[at + 1];
      const isParent = next?.form === 'item' && indentOf(source, next) > indent;
      if (!isParent || !introduces(text)) add(text);
      if (isParent) parents.push({ indent, text });
    } else {
      const last = findLast(blocks, at);
      const whole = source.slice(block.start, (blocks[last] as TextBlock).end);
      if (block.form === 'code') addCode(notes, whole, add);
      else if (block.form === 'row') add(whole, false);
      else {
        parents.length = 0;
        add(text);
      }
      if (block.form === 'code' || block.form === 'row') at = last;
    }
  }
  return notes.map(({ text, context, none }) => none ?? toMemory(text, context, name, statedAt));
}

/** Only names of the file itself. */
const generic =
  /^(?:(?:claude|agents|gemini|memory|readme|notes)(?:\.md)?|(?:project |auto |user )?memor(?:y|ies)|instructions)$/i;

function toMemory(text: string, context: string, source: string, statedAt: number | undefined): Piece {
  return offer({ text, source, statedAt, ...(context !== '' && { context }) });
}

/** Rejects texts that are not memories. */
function judge(text: string, amongOthers: boolean): Piece | undefined {
  if (/^@\S+$/.test(text)) return { left: 'pointer' };
  if (amongOthers && /^\[[^\]]+\]\((?![a-z]+:)[^)\s]+\.md\)/.test(text)) return { left: 'pointer' };
  const words = text.replace(/!\[[^\]]*\]\([^)]*\)|<\/?[a-z][^>]*>/g, '');
  return /[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(words) ? undefined : { left: 'empty' };
}

function introduces(text: string): boolean {
  return text.endsWith(':') || text.split(/\s+/).length <= fewWords;
}

/** The last of the blocks of the same form that follow each other. */
function findLast(blocks: readonly TextBlock[], at: number): number {
  let last = at;
  while (blocks[last + 1]?.form === blocks[at]?.form) last++;
  return last;
}

function addCode(notes: readonly Note[], code: string, add: (text: string, open: boolean) => void) {
  const fenced = `\`\`\`\n${code}\n\`\`\``;
  const before = notes.at(-1);
  if (before?.open && fenced.length <= longestCode) {
    before.text += `\n${fenced}`;
    before.open = false;
  } else add(fenced, false);
}

/** Lines that an editor broke are one again. */
function unwrap(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

function levelOf(source: string, block: TextBlock): number {
  const line = source.slice(source.lastIndexOf('\n', block.start - 1) + 1, block.start);
  const marks = /#{1,6}/.exec(line)?.[0].length;
  if (marks !== undefined) return marks;
  return source.slice(block.end + 1).startsWith('=') ? 1 : 2;
}

function indentOf(source: string, block: TextBlock): number {
  const line = source.slice(source.lastIndexOf('\n', block.start - 1) + 1, block.start + 1);
  return /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
}

/** The front matter, whose description gives the topic. */
function takeFrontMatter(text: string): { text: string; about: string } {
  const [whole, settings = ''] = /^\uFEFF?---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
  if (whole === undefined) return { text, about: '' };
  const about = /^(?:description|title|name):[ \t]*(.+)$/m;
  const found = /^description:[ \t]*(.+)$/m.exec(settings) ?? about.exec(settings);
  return { text: text.slice(whole.length), about: found?.[1]?.trim().replace(/^(["'])(.*)\1$/, '$2') ?? '' };
}
