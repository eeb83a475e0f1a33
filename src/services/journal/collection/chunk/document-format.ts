// Detects the format of a document and splits it into chunks.

import type { Steps } from '../../../../core/steps.ts';
import type { ReadDocument } from './block.ts';
import { readHtml } from './html.ts';
import { readMarkdown } from './markdown.ts';
import { type Chunk, packChunks, target } from './pack.ts';
import { readPlain } from './plain.ts';

export type DocumentFormat = 'markdown' | 'html' | 'text';

const formats: Record<string, DocumentFormat> = {
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  mdx: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  txt: 'text',
  text: 'text',
  rst: 'text',
  adoc: 'text',
  asciidoc: 'text',
  org: 'text',
  tex: 'text',
};

const readers: Record<DocumentFormat, (text: string) => Steps<ReadDocument>> = {
  markdown: readMarkdown,
  html: readHtml,
  text: readPlain,
};

/** By the file's extension; a name without one, like README, is text. Undefined if it is not a document. */
export function formatOfFile(name: string): DocumentFormat | undefined {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? 'text' : formats[name.slice(dot + 1).toLowerCase()];
}

/** For a text without a file name: HTML is recognisable, anything else is read as Markdown. */
export function formatOfText(text: string): DocumentFormat {
  return /^\s*<(?:!doctype html|html|head|body)[\s>]/i.test(text.slice(0, 1_000)) ? 'html' : 'markdown';
}

interface Chunked {
  title: string | undefined;
  meta: { [key: string]: string };
  chunks: Chunk[];
}

export function* chunkDocument(text: string, format: DocumentFormat): Steps<Chunked> {
  const { title, meta, blocks } = yield* readers[format](text);
  return { title, meta, chunks: yield* packChunks(blocks) };
}

/** Estimated number of chunks. */
export function estimateChunks(length: number): number {
  return Math.ceil(length / target);
}
