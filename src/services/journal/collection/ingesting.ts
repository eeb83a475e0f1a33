// Ingests a text, a file or a folder, directly or as an operation. It is idempotent, also between processes.
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { amendNode } from '../../../graph/amend.ts';
import { isCurrent } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import type { Work } from '../../../graph/operation/worker.ts';
import { estimateChunks, formatOfFile, formatOfText } from './chunk/document-format.ts';
import { type DocumentDraft, listDocuments } from './document.ts';
import { type DocumentSkip, largestFile, readText } from './read-file.ts';
import { type DocumentWriter, type StoredDocument, storeDocuments } from './store-documents.ts';
import { walkFolder } from './walk.ts';

/** Input of the operation. */
export interface IngestInput {
  /** The collection's id. */
  collection: string;
  collection_name: string;
  actor: string;
  /** The project's. */
  root: string;
  /** A file or folder, from the root. */
  file?: string;
  folder?: string;
  content?: string;
  title?: string;
}

export interface Ingested {
  collection_name: string;
  added: number;
  replaced: number;
  unchanged: number;
  /** Documents whose files were deleted. */
  gone: number;
  chunks: number;
  /** Skipped files, by reason. */
  skipped: { [reason: string]: number };
}

type Doing = Pick<Work, 'signal' | 'report'> & { by: string };

/** Characters written together: many small files are as fast as one large one. */
const charactersAtOnce = 150_000;
const filesAtOnce = 50;

export async function ingest(opened: OpenGraph, input: IngestInput, doing: Doing): Promise<Ingested> {
  const { graph } = opened;
  const { collection, collection_name, actor } = input;
  const node = await graph.get(collection);
  if (!node || !isCurrent(node, graph.now())) {
    throw new LoreError('not_found', `Cannot ingest into collection "${collection_name}": it was deleted`);
  }
  const keeper: DocumentWriter = { opened, collection, actor, by: doing.by, signal: doing.signal };
  const ingested: Ingested = {
    collection_name,
    added: 0,
    replaced: 0,
    unchanged: 0,
    gone: 0,
    chunks: 0,
    skipped: {},
  };
  if (input.folder !== undefined) await ingestFolder(keeper, input.root, input.folder, doing, ingested);
  else count(ingested, await storeDocuments({ ...keeper, report: doing.report }, [await readDraft(input)]));
  await amendNode(opened, collection, actor, ({ data }) => ({ data: { ...data, ingested: graph.now() } }));
  return ingested;
}

function count(ingested: Ingested, kept: readonly StoredDocument[]): void {
  for (const { action, chunks } of kept) {
    if (action === 'too_large') leaveOut(ingested, 'too_large');
    else ingested[action]++;
    ingested.chunks += chunks;
  }
}

function leaveOut({ skipped }: Ingested, reason: string, more = 1): void {
  skipped[reason] = (skipped[reason] ?? 0) + more;
}

async function readDraft({ root, file, content = '', title }: IngestInput): Promise<DocumentDraft> {
  if (file === undefined) {
    return { key: title ?? '', from: 'content', format: formatOfText(content), text: content, title };
  }
  const read = await readText(join(root, file));
  if ('skip' in read) throw fileError(file, read.skip);
  return { key: file, from: 'file', format: formatOfFile(file) ?? 'text', text: read.text, title };
}

const states: Record<DocumentSkip, string> = {
  too_large: `it is larger than ${largestFile / 1e6} MB`,
  binary: 'it is not text',
  pdf: 'PDF cannot be read; Markdown, HTML and plain text can',
  unreadable: 'it cannot be read',
  link: 'it is a link to another folder',
  other: 'it is not a regular file',
};

function fileError(file: string, skip: DocumentSkip): LoreError {
  const word = skip === 'too_large' ? 'limit_exceeded' : skip === 'link' ? 'forbidden' : 'invalid_input';
  return new LoreError(word, `Cannot ingest "${file}": ${states[skip]}`, {
    ...(skip === 'pdf' && { hint: 'Convert it to text first, for example with pdftotext.' }),
    details: { path: 'arguments.path', expected: 'a text file', received: file },
  });
}

async function ingestFolder(keeper: DocumentWriter, root: string, folder: string, doing: Doing, ingested: Ingested) {
  const top = folder === '' ? root : join(root, folder);
  const { names, skipped, unreadable } = await walkFolder(top, root, doing.signal);
  for (const [reason, number] of Object.entries(skipped)) leaveOut(ingested, reason, number);
  const seen = new Set<string>();
  let batch: DocumentDraft[] = [];
  let characters = 0;
  for (const [at, name] of names.entries()) {
    doing.signal.throwIfAborted();
    const read = await readText(join(root, name));
    // A file that is unreadable now keeps its document; a file that is no longer a document loses it.
    if (!('skip' in read) || read.skip === 'unreadable') seen.add(name);
    if ('skip' in read) leaveOut(ingested, read.skip);
    else {
      batch.push({ key: name, from: 'file', format: formatOfFile(name) ?? 'text', text: read.text });
      characters += read.text.length;
    }
    if (at + 1 < names.length && characters < charactersAtOnce && batch.length < filesAtOnce) continue;
    count(ingested, await storeDocuments(keeper, batch));
    await doing.report(at + 1, names.length, name);
    batch = [];
    characters = 0;
  }
  if (skipped.beyond_limit === undefined) {
    ingested.gone = await forgetGone(keeper, folder, (name) => seen.has(name) || isUnder(name, unreadable));
  }
}

async function forgetGone(
  { opened, collection, actor, signal }: DocumentWriter,
  folder: string,
  isThere: (name: string) => boolean,
) {
  let gone = 0;
  for await (const { id, title, data } of listDocuments(opened, collection)) {
    if (data.from !== 'file' || !isUnder(title, [folder]) || isThere(title)) continue;
    signal.throwIfAborted();
    await opened.graph.forget(id, actor);
    gone++;
  }
  return gone;
}

function isUnder(name: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === '' || name.startsWith(`${folder}/`));
}

/** Whether it is small enough to do at once. */
export function isQuick(characters: number): boolean {
  return estimateChunks(characters) <= 200;
}
