// Stores a memory. A repeated statement is merged into the existing memory; older ones are superseded only if the caller
// names them. One call is one transaction.
import { LoreError } from '../../core/error.ts';
import { createId } from '../../core/id.ts';
import { redactSoon } from '../../core/secret/redact.ts';
import { countEdges } from '../../graph/census.ts';
import { hashOf } from '../../graph/create-node.ts';
import type { NewEdge } from '../../graph/graph.ts';
import { ensureKey, findByKey } from '../../graph/key.ts';
import { keyEdge } from '../../graph/key-edge.ts';
import type { Node } from '../../graph/node.ts';
import { ensureProject, ensureSession, getOwn, nameSession, type Scope } from '../../graph/project/scope.ts';
import { findCitations } from './cite/citation.ts';
import { takeSnapshot } from './cite/citation-snapshot.ts';
import type { KnowledgeType, MemoryKind } from './kinds.ts';
import type { MemoryData } from './memory.ts';
import { mergeMemory } from './merge.ts';
import { findSame, findSimilar, linkDisagreeing, type Similar, type Statement } from './similar.ts';
import { classify, passesAfterMs } from './text/classify.ts';

export interface MemoryDraft {
  text: string;
  /** Who said it; the text may begin with the name. */
  speaker?: string | undefined;
  /** The preceding text, if the statement cannot be understood alone. */
  context?: string | undefined;
  kind?: MemoryKind | undefined;
  knowledge?: KnowledgeType | undefined;
  importance?: number | undefined;
  tags?: readonly string[] | undefined;
  source?: string | undefined;
  session?: string | undefined;
  /** Undefined: a new memory never expires, and an existing one keeps its expiry. */
  expiresAt?: number | 'never' | undefined;
  reason?: string | undefined;
  confidence?: number | undefined;
  /** When it was stated, if not now. */
  statedAt?: number | undefined;
  /** Ids of nodes it is about, in addition to those its text mentions. */
  mentions?: readonly string[] | undefined;
  /** Name to read it back by; a memory that has it is superseded. */
  key?: string | undefined;
  /** Makes the call idempotent. */
  id?: string | undefined;
  /** Ids of the memories that it replaces; an empty list means none. */
  supersedes?: readonly string[] | undefined;
  /** Extracted from a text by rules: it may be short-lived, and a paraphrase adds nothing. */
  learned?: boolean | undefined;
}

export interface StoredMemory {
  action: 'stored' | 'merged' | 'superseded';
  node: Node;
  superseded: readonly Node[];
  /** Older memories that it may repeat or disagree with. */
  similar: readonly Similar[];
  /** Fields of the memory that a merge changed. */
  changed: readonly string[];
  /** The number of secrets that were redacted. */
  redacted: number;
}

/** Each retry means that another process stored or ended the same statement in between. */
const mostAttempts = 20;

export async function storeMemory(scope: Scope, draft: MemoryDraft): Promise<StoredMemory> {
  await ensureProject(scope);
  const { text, found: secrets } = await redactSoon(draft.text);
  const statement = { text, context: (await redactSoon(draft.context ?? '')).text };
  const redacted = secrets.reduce((sum, { count }) => sum + count, 0);
  for (let attempt = 1; ; attempt++) {
    const before = draft.id === undefined ? undefined : await scope.opened.graph.get(draft.id);
    if (before) return { action: 'stored', node: before, superseded: [], similar: [], changed: [], redacted };
    const named = await readSuperseded(scope, draft.supersedes);
    const keyed = draft.key === undefined ? [] : await findByKey(scope.opened, scope.projects, draft.key);
    const kept = await tryToKeep(scope, { draft, statement, named, keyed, redacted });
    if (kept) return { ...kept, redacted };
    if (attempt === mostAttempts) {
      throw new LoreError('conflict', 'Cannot store the memory: other processes keep changing the same one. Try again');
    }
  }
}

interface Keeping {
  draft: MemoryDraft;
  statement: Statement;
  /** The memories that `supersedes` names. */
  named: readonly Node[];
  /** The memories that have its key. */
  keyed: readonly Node[];
  redacted: number;
}

/** Undefined if another process was faster. */
async function tryToKeep(scope: Scope, keeping: Keeping): Promise<Omit<StoredMemory, 'redacted'> | undefined> {
  const { draft, statement, named, keyed } = keeping;
  const exact = await findSame(scope, statement);
  // The caller has decided if it names the replaced memories, even an empty list.
  const isDecided = draft.supersedes !== undefined && (exact !== undefined || named.length === 0);
  const found = isDecided ? [] : await findSimilar(scope, statement, draft.session !== undefined);
  const repeated = found.find(
    ({ relation, node }) => relation === 'repeats' && (draft.learned || isOne(node, statement)),
  );
  const same = exact ?? repeated?.node;
  const superseded = named.filter((node) => isToSupersede(node, same));
  superseded.push(...keyed.filter(({ id }) => [same, ...named].every((node) => node?.id !== id)));
  const gone = new Set([same, ...keyed, ...named].map((node) => node?.id));
  const similar = found.filter(({ node }) => !gone.has(node.id));
  const also = { superseded, similar };
  if (same) {
    const merged = await mergeMemory(scope, same, draft, { ...also, edges: await linkDraft(scope, same.id, draft) });
    return merged && { action: superseded.length > 0 ? 'superseded' : 'merged', ...merged, ...also };
  }
  const node = await store(scope, keeping, also);
  return node && { action: superseded.length > 0 ? 'superseded' : 'stored', node, ...also, changed: [] };
}

function isOne(node: Node, { text, context }: Statement): boolean {
  return hashOf('memory', node.title, node.text) === hashOf('memory', context, text);
}

async function readSuperseded(scope: Scope, ids: readonly string[] = []): Promise<Node[]> {
  const nodes: Node[] = [];
  for (const id of ids) {
    const node = await getOwn(scope, id, 'supersede');
    if (node.kind !== 'memory')
      throw new LoreError('not_found', `Cannot supersede "${id}": it is a ${node.kind}, not a memory`);
    if (!scope.projects.includes(node.project)) {
      throw new LoreError('conflict', `Cannot supersede "${id}": it is about the user, not about the project`, {
        hint: 'Pass user: true to replace it for every project.',
      });
    }
    if (!nodes.some((other) => other.id === node.id)) nodes.push(node);
  }
  return nodes;
}

/** Without those that the same call has already superseded. */
function isToSupersede({ id, supersededBy }: Node, same: Node | undefined): boolean {
  if (id === same?.id) {
    throw new LoreError('invalid_input', `Cannot supersede "${id}": it is the same statement`, {
      details: { path: 'arguments.supersedes', expected: 'ids of other memories', received: id },
    });
  }
  if (supersededBy === undefined) return true;
  if (supersededBy === same?.id) return false;
  throw new LoreError('conflict', `Cannot supersede "${id}": "${supersededBy}" supersedes it already`, {
    hint: `If the new statement replaces that one too, pass supersedes: "${supersededBy}".`,
  });
}

/** To its session, its key and the nodes it is about. */
async function linkDraft(scope: Scope, id: string, { session, key, mentions = [] }: MemoryDraft): Promise<NewEdge[]> {
  const own = session === undefined ? [] : [{ from: id, kind: 'in', to: await ensureSession(scope, session) }];
  if (key !== undefined) own.push({ from: id, kind: keyEdge, to: await ensureKey(scope, key) });
  return [...own, ...mentions.map((to) => ({ from: id, kind: 'mentions', to }))];
}

/** Undefined if another process has just stored the same statement. */
async function store(
  scope: Scope,
  { draft, statement: { text, context }, redacted }: Keeping,
  { superseded, similar }: Pick<StoredMemory, 'superseded' | 'similar'>,
): Promise<Node | undefined> {
  const { opened, project, actor } = scope;
  const { graph } = opened;
  const id = draft.id ?? createId('n');
  const said = Math.min(draft.statedAt ?? graph.now(), graph.now());
  const label = `${draft.speaker}: `;
  const sort = classify(text.startsWith(label) ? text.slice(label.length) : text);
  const data = await describe(scope, draft, { text, redacted, said, sort });
  const validTo = draft.expiresAt === 'never' ? undefined : draft.expiresAt;
  const memory = {
    id,
    project: project.id,
    kind: 'memory',
    title: context,
    text,
    data: { ...data },
    importance: draft.importance ?? sort.importance,
    confidence: draft.confidence ?? 1,
    source: draft.source ?? '',
    ...(draft.statedAt !== undefined && { validFrom: said }),
    ...(validTo !== undefined && { validTo }),
  };
  const edges = [
    ...(await linkDraft(scope, id, draft)),
    ...(data.fades === undefined ? linkDisagreeing(id, draft.statedAt === undefined ? undefined : said, similar) : []),
  ];
  const supersede = superseded.map((older) => ({ old: older.id, by: id, since: said }));
  try {
    const [node] = await graph.put([memory], actor, { edges, supersede, once: true });
    return node;
  } catch (error) {
    if (error instanceof LoreError && error.word === 'conflict') return undefined;
    throw error;
  }
}

async function describe(
  scope: Scope,
  draft: MemoryDraft,
  { text, redacted, said, sort }: { text: string; redacted: number; said: number; sort: ReturnType<typeof classify> },
): Promise<MemoryData> {
  const { kind, knowledge } = sort;
  // Memories about the user belong to no folder, so there is no file to compare later.
  const citations = scope.project.root === '' ? [] : findCitations(text);
  const cited = citations.length > 0 ? await takeSnapshot(citations, scope.project.root) : undefined;
  const passesAfter = draft.learned ? passesAfterMs[kind] : undefined;
  return {
    kind: draft.kind ?? kind,
    knowledge: draft.knowledge ?? knowledge,
    ...(draft.tags && draft.tags.length > 0 && { tags: [...new Set(draft.tags)] }),
    ...(draft.session !== undefined && {
      session: draft.session,
      place: await countEdges(scope.opened, nameSession(scope, draft.session), 'in'),
    }),
    ...(draft.reason !== undefined && { reason: draft.reason }),
    ...(citations.length > 0 && { cited: cited ?? { files: {} } }),
    ...(redacted > 0 && { redacted }),
    ...(draft.statedAt !== undefined && { said }),
    ...(passesAfter !== undefined && { fades: said + passesAfter }),
  };
}
