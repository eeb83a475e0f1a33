// Stores documents: first the chunks of a new version, in small transactions, then the versions themselves, in one. A search
// uses chunks only while their version is valid, so it sees the old or the new one, never both or neither. After a crash,
// the work continues where it stopped.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LoreError } from '../../../core/error.ts';
import { redactLines } from '../../../core/secret/redact.ts';
import { runSoon } from '../../../core/steps.ts';
import type { NewNode } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { dropFromIndex } from '../../../graph/versions.ts';
import { chunkDocument } from './chunk/document-format.ts';
import {
  type ChunkData,
  chunkKind,
  type DocumentData,
  type DocumentDraft,
  type DocumentNode,
  documentKind,
  editionOf,
  findLatest,
  hashDocument,
  nameChunks,
  nameDocument,
} from './document.ts';

export interface DocumentWriter {
  opened: OpenGraph;
  /** The collection's id. */
  collection: string;
  actor: string;
  /** The operation, which recognises its own earlier work by it; empty for none. */
  by: string;
  signal: AbortSignal;
  /** Called with the number of stored chunks and the total. */
  report?: (done: number, total: number) => Promise<void>;
}

export interface StoredDocument {
  key: string;
  action: 'added' | 'replaced' | 'unchanged' | 'too_large';
  chunks: number;
}

/** Maximum number of chunks of a document. */
const mostChunks = 20_000;
/** Takes about ten milliseconds. */
const chunksAtOnce = 20;
const mostTries = 10;

/** Few at a time, because all their texts are in memory. */
export async function storeDocuments(
  keeper: DocumentWriter,
  drafts: readonly DocumentDraft[],
): Promise<StoredDocument[]> {
  const kept: StoredDocument[] = [];
  let waiting = [...drafts];
  for (let tries = 0; waiting.length > 0; tries++) {
    if (tries >= mostTries) {
      throw new LoreError('conflict', `Cannot ingest "${waiting[0]?.key}": other processes keep changing it`);
    }
    const prepared = await prepare(keeper, waiting, kept);
    await putChunks(
      keeper,
      prepared.flatMap(({ chunks }) => chunks),
    );
    waiting = await publish(keeper, prepared, kept);
  }
  return kept;
}

interface Prepared {
  draft: DocumentDraft;
  document: NewNode & { id: string; data: { readonly [key: string]: unknown } };
  chunks: (NewNode & { id: string })[];
  before: DocumentNode | undefined;
}

/** Unchanged documents need no work. */
async function prepare(
  keeper: DocumentWriter,
  drafts: readonly DocumentDraft[],
  kept: StoredDocument[],
): Promise<Prepared[]> {
  const latest = await findLatest(keeper.opened, keeper.collection, drafts);
  const prepared: Prepared[] = [];
  for (const draft of drafts) {
    const before = latest.get(hashDocument(draft));
    const edition = editionOf(draft);
    if (before?.data.edition === edition) {
      kept.push({ key: draft.key, action: await reuse(keeper, before), chunks: before.data.chunks });
      continue;
    }
    keeper.signal.throwIfAborted();
    const one = await createEdition(keeper, draft, edition, before);
    if (one.chunks.length > mostChunks) kept.push({ key: draft.key, action: 'too_large', chunks: 0 });
    else prepared.push(one);
    await nextTurn();
  }
  return prepared;
}

/** A file that returned unchanged is only restored. */
async function reuse(
  { opened, actor, by }: DocumentWriter,
  { id, data, forgottenAt }: DocumentNode,
): Promise<StoredDocument['action']> {
  if (forgottenAt !== undefined) {
    await opened.graph.unforget(id, actor);
    return 'added';
  }
  // Our own work from before a crash counts as done.
  if (by === '' || data.by !== by) return 'unchanged';
  return data.revision === 0 ? 'added' : 'replaced';
}

async function createEdition(
  keeper: DocumentWriter,
  draft: DocumentDraft,
  edition: string,
  before: DocumentNode | undefined,
): Promise<Prepared> {
  const { collection: project, by } = keeper;
  const { key, from, format, text } = draft;
  // Before splitting, because a part of a private key does not look like one.
  const { title: own, meta, chunks } = await runSoon(chunkDocument(await redactLines(text), format));
  const title = draft.title ?? own ?? key;
  const revision = before === undefined ? 0 : before.data.revision + 1;
  const id = nameDocument(project, draft, revision);
  const counts = { edition, chunks: chunks.length };
  const data: DocumentData = { from, format, title, ...counts, revision, characters: text.length, meta, by };
  const ids = nameChunks(id, counts);
  return {
    draft,
    before,
    document: { id, project, kind: documentKind, title: key, text: from, data: { ...data }, source: key },
    chunks: chunks.map(({ headings, text: words, line }, at) => {
      const chunk: ChunkData = { document: id, edition, line };
      const names = headings[0] === title ? headings : [title, ...headings];
      const name = names.filter((word) => word !== '').join(' › ');
      return {
        id: ids[at] as string,
        project,
        kind: chunkKind,
        title: name,
        text: words,
        data: { ...chunk },
        source: key,
      };
    }),
  };
}

async function putChunks(
  { opened, actor, signal, report }: DocumentWriter,
  chunks: readonly (NewNode & { id: string })[],
) {
  const { graph } = opened;
  for (let at = 0; at < chunks.length; at += chunksAtOnce) {
    // Questions come first.
    await nextTurn();
    signal.throwIfAborted();
    let some = chunks.slice(at, at + chunksAtOnce);
    while (some.length > 0) {
      const edges = some.map(({ id, data }) => ({ from: id, kind: 'in', to: String(data?.document) }));
      const isPut = await attempt(() => graph.put(some, actor, { edges, mentions: false }));
      if (isPut) break;
      // Started before, or by another process just now.
      const there = new Set((await graph.getAll(some.map(({ id }) => id))).map(({ id }) => id));
      if (there.size === 0)
        throw new LoreError('conflict', 'Cannot store chunks: they were reported as stored but are missing');
      some = some.filter(({ id }) => !there.has(id));
    }
    await report?.(Math.min(at + chunksAtOnce, chunks.length), chunks.length);
  }
}

/** Returns those that another process stored first; they must be checked again. */
async function publish(
  keeper: DocumentWriter,
  prepared: readonly Prepared[],
  kept: StoredDocument[],
): Promise<DocumentDraft[]> {
  if (prepared.length === 0) return [];
  const { opened, actor } = keeper;
  // The time when all chunks are stored: a search as of an earlier time sees the complete old version.
  const since = opened.graph.now();
  const documents = prepared.map(({ document }) => ({ ...document, validFrom: since }));
  const supersede = prepared.flatMap(({ before, document }) =>
    before ? [{ old: before.id, by: document.id, since }] : [],
  );
  if (!(await attempt(() => opened.graph.put(documents, actor, { supersede, mentions: false })))) {
    if (prepared.length === 1) return prepared.map(({ draft }) => draft);
    const again: DocumentDraft[] = [];
    for (const one of prepared) again.push(...(await publish(keeper, [one], kept)));
    return again;
  }
  for (const { draft, before, chunks } of prepared) {
    const isNew = before === undefined || before.forgottenAt !== undefined;
    kept.push({ key: draft.key, action: isNew ? 'added' : 'replaced', chunks: chunks.length });
    if (before) await dropChunks(opened, before);
  }
  return [];
}

async function dropChunks(opened: OpenGraph, { id, data }: DocumentNode): Promise<void> {
  const ids = nameChunks(id, data);
  for (let at = 0; at < ids.length; at += chunksAtOnce) {
    await dropFromIndex(opened, ids.slice(at, at + chunksAtOnce));
    await nextTurn();
  }
}

async function attempt(put: () => Promise<unknown>): Promise<boolean> {
  try {
    await put();
    return true;
  } catch (error) {
    if (error instanceof LoreError && error.word === 'conflict') return false;
    throw error;
  }
}
