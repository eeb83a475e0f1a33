// A document: one node per version, identified by its path or title in its collection. Chunks are valid while their document
// is, so that one row decides which version is searched.
import { hashHex } from '../../../core/crypto.ts';
import { redact } from '../../../core/secret/redact.ts';
import { hashOf } from '../../../graph/create-node.ts';
import type { Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { nameNode } from '../../../graph/project/scope.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import { findVersions } from '../../../graph/versions.ts';
import type { DocumentFormat } from './chunk/document-format.ts';

export const documentKind = 'document';
export const chunkKind = 'chunk';

export interface DocumentDraft {
  /** Path from the project's root, or title. */
  key: string;
  from: 'file' | 'content';
  format: DocumentFormat;
  text: string;
  /** Overrides its own title. */
  title?: string | undefined;
}

export interface DocumentData {
  from: DocumentDraft['from'];
  format: DocumentFormat;
  title: string;
  /** Identifies the text and how it was split. */
  edition: string;
  /** Number of earlier versions. */
  revision: number;
  chunks: number;
  characters: number;
  /** Its front matter. */
  meta: { readonly [key: string]: string };
  /** The operation that ingested it. */
  by: string;
}

export interface ChunkData {
  document: string;
  edition: string;
  line: number;
}

export type DocumentNode = Omit<Node, 'data'> & { data: DocumentData };

/** Raise it when splitting changes, so that ingesting again replaces the chunks. */
const cut = 2;

export function editionOf({ format, title = '', text }: DocumentDraft): string {
  const words = JSON.stringify([cut, format, title, text]);
  return hashHex(words).slice(0, 24);
}

/** Two processes that write the next version at once use the same id, so only one succeeds. */
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

/** The latest version of each, by its hash, even if it was forgotten. */
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

/** All current ones. */
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
