// Merges a repeated statement into the existing memory: lists are united, and newer values replace older ones. The memory is
// read and written under the write lock, so that concurrent processes lose nothing.
import { type Amendment, amendNode } from '../../graph/amend.ts';
import type { NewEdge } from '../../graph/graph.ts';
import { isCurrent, mayDisagree, type Node } from '../../graph/node.ts';
import type { Scope } from '../../graph/project/scope.ts';
import { dataOf, type MemoryData } from './memory.ts';
import { linkDisagreeing } from './similar.ts';
import type { MemoryDraft, StoredMemory } from './store-memory.ts';

interface Merging extends Pick<StoredMemory, 'superseded' | 'similar'> {
  edges: readonly NewEdge[];
}

/** Undefined if the memory has ended or changed meanwhile. */
export async function mergeMemory(
  { opened, actor }: Scope,
  { id, hash }: Node,
  draft: MemoryDraft,
  { superseded, similar, edges }: Merging,
): Promise<Pick<StoredMemory, 'node' | 'changed'> | undefined> {
  const now = opened.graph.now();
  // A repetition today makes it the newest statement; an old transcript or a guess does not.
  const isNews = draft.statedAt === undefined && !draft.learned;
  let changed: string[] = [];
  const change = (node: Node): Amendment | undefined => {
    if (node.hash !== hash || !isCurrent(node, now)) return undefined;
    const amendment = merge(node, draft);
    changed = listChanged(node, amendment);
    return amendment;
  };
  const node = await amendNode(opened, id, actor, change, {
    edges: [...edges, ...(isNews ? linkDisagreeing(id, undefined, similar) : [])],
    supersede: superseded.map((older) => ({ old: older.id, by: id, since: now })),
    ...(isNews && { unlink: mayDisagree }),
  });
  if (node && (draft.mentions ?? []).length > 0) changed.push('links');
  return node && { node, changed };
}

function merge(node: Node, draft: MemoryDraft): Amendment {
  const { fades, ...data } = dataOf(node);
  const { kind, knowledge, expiresAt, importance = node.importance, confidence = 1 } = draft;
  const tags = unite(data.tags, draft.tags);
  const allSources = unite(data.sources, [draft.source].filter(isNew(node.source)));
  const sources = allSources.slice(-mostKept);
  const droppedSources = (data.droppedSources ?? 0) + allSources.length - sources.length;
  const sessions = unite(data.sessions, [draft.session].filter(isNew(data.session))).slice(-mostKept);
  const next: MemoryData = {
    ...data,
    ...(kind !== undefined && { kind }),
    ...(knowledge !== undefined && { knowledge }),
    ...(tags.length > 0 && { tags }),
    ...(sources.length > 0 && { sources }),
    ...(droppedSources > 0 && { droppedSources }),
    ...(sessions.length > 0 && { sessions }),
    // An explicit statement is not short-lived.
    ...(draft.learned && fades !== undefined && { fades }),
    repeated: (data.repeated ?? 0) + 1,
  };
  return {
    data: { ...next },
    importance,
    confidence: Math.max(node.confidence, confidence),
    ...(expiresAt !== undefined && { validTo: expiresAt === 'never' ? undefined : expiresAt }),
  };
}

/** Sources and sessions of an often repeated memory: the newest are listed, the others counted. */
const mostKept = 50;

const isNew =
  (known: string | undefined) =>
  (given: string | undefined): given is string =>
    given !== undefined && given !== '' && given !== known;

function unite(known: readonly string[] = [], given: readonly string[] = []): string[] {
  return [...new Set([...known, ...given])];
}

/** Named like the arguments. */
function listChanged(node: Node, amendment: Amendment): string[] {
  const [before, after] = [dataOf(node), dataOf({ data: amendment.data })];
  const compared: [name: string, before: unknown, after: unknown][] = [
    ['kind', before.kind, after.kind],
    ['knowledge', before.knowledge, after.knowledge],
    ['importance', node.importance, amendment.importance],
    ['tags', before.tags?.length, after.tags?.length],
    ['source', before.sources?.at(-1), after.sources?.at(-1)],
    ['session', before.sessions?.at(-1), after.sessions?.at(-1)],
    ['expires', node.validTo, 'validTo' in amendment ? amendment.validTo : node.validTo],
  ];
  return compared.flatMap(([name, was, is]) => (was === is ? [] : [name]));
}
