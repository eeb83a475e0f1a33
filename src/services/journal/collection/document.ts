// What a document is: a node for each of its editions, known by its path or title within its collection. Its chunks count
// while it does, so that one row decides which edition is searched.
import { hashHex } from '../../../core/crypto.ts';
import { redact } from '../../../core/secret/redact.ts';
import { hashOf } from '../../../graph/create-node.ts';
import { findVersions } from '../../../graph/edition.ts';
import type { Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { nameNode } from '../../../graph/project/scope.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import type { DocumentFormat } from './chunk/document-format.ts';

export const documentKind = 'document';
export const chunkKind = 'chunk';

export interface DocumentDraft {
  /** A path from the project's root, or a title. */
  key: string;
  from: 'file' | 'content';
  format: DocumentFormat;
  text: string;
  /** Instead of the one it has itself. */
  title?: string | undefined;
}

export interface DocumentData {
  from: DocumentDraft['from'];
  format: DocumentFormat;
  title: string;
  /** Names what it says and how it was cut. */
  edition: string;
  /** How many editions there were before. */
  revision: number;
  chunks: number;
  characters: number;
  /** What it says about itself before its text. */
  meta: { readonly [key: string]: string };
  /** The operation that took it in. */
  by: string;
}

export interface ChunkData {
  document: string;
  edition: string;
  line: number;
}

export type DocumentNode = Omit<Node, 'data'> & { data: DocumentData };

/** To be raised when chunks are made otherwise: then ingesting again makes them anew. */
const cut = 2;

export function editionOf({ format, title = '', text }: DocumentDraft): string {
  const words = JSON.stringify([cut, format, title, text]);
  return hashHex(words).slice(0, 24);
}

/** Two that write the next edition at once write the same id, and only one succeeds. */
export function nameDocument(
  collection: string,
  { from, key }: Pick<DocumentDraft, 'from' | 'key'>,
  revision: number,
): string {
  return nameNode('doc', collection, from, key, String(revision));
}

export function nameChunks(document: string, { edition, chunks }: Pick<DocumentData, 'edition' | 'chunks'>): string[] {
  return Array.from({ length: chunks }, (_, at) => nameNode('chk', document, edition, String(at)));
}

export function hashDocument({ key, from }: Pick<DocumentDraft, 'key' | 'from'>): string {
  return hashOf(documentKind, redact(key).text, from);
}

/** The latest edition of each, by its hash, even if it was forgotten. */
export async function findLatest(
  opened: OpenGraph,
  collection: string,
  drafts: readonly DocumentDraft[],
): Promise<Map<string, DocumentNode>> {
  const latest = new Map<string, DocumentNode>();
  for (const node of await findVersions(opened, collection, drafts.map(hashDocument))) {
    const document = node as unknown as DocumentNode;
    const known = latest.get(node.hash);
    if (!known || known.data.revision < document.data.revision) latest.set(node.hash, document);
  }
  return latest;
}

const pageSize = 1_000;

/** All that count now. */
export async function* listDocuments(
  { store, graph }: OpenGraph,
  project: string,
): AsyncGenerator<Omit<Titled, 'data'> & { data: DocumentData }> {
  const now = graph.now();
  for (let before: Titled | undefined; ; ) {
    const page: Titled[] = await listTitled(store, {
      projects: [project],
      kind: documentKind,
      limit: pageSize,
      now,
      before,
    });
    for (const node of page) yield node as unknown as Omit<Titled, 'data'> & { data: DocumentData };
    before = page.at(-1);
    if (page.length < pageSize) return;
  }
}
