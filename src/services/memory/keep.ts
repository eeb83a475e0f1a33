// Keeping a memory: what says the same as one already there is merged into it; what takes the place of an older one
// supersedes it. The older one stays, marked, and counts for its own time.
import { createId } from '../../core/id.ts';
import { redact } from '../../core/redact.ts';
import { countEdges } from '../../graph/census.ts';
import { sayTheSame } from '../../graph/duplicate.ts';
import type { Found } from '../../graph/graph.ts';
import type { Node } from '../../graph/node.ts';
import { ensureProject, ensureSession, nameSession, type Scope } from '../../graph/scope.ts';
import { findCitations } from './cite/citation.ts';
import { takeSnapshot } from './cite/citation-snapshot.ts';
import type { KnowledgeType, MemoryKind } from './kinds.ts';
import { dataOf, type MemoryData, retentionMs } from './memory.ts';
import { classify } from './text/classify.ts';
import { contradicts, createContradictionReader } from './text/contradict.ts';
import { movedWhen } from './text/contradict-when.ts';
import { readSpan } from './time/time-phrase.ts';

export interface Draft {
  text: string;
  /** What was said before it, where it cannot be understood alone. */
  context?: string | undefined;
  kind?: MemoryKind | undefined;
  knowledge?: KnowledgeType | undefined;
  importance?: number | undefined;
  tags?: readonly string[] | undefined;
  source?: string | undefined;
  session?: string | undefined;
  /** Undefined: as its kind has it. */
  expiresAt?: number | 'never' | undefined;
  reason?: string | undefined;
  confidence?: number | undefined;
  /** When it was said, where that is not now. */
  saidAt?: number | undefined;
  /** Ids of what it is about, besides what its words name. */
  mentions?: readonly string[] | undefined;
  /** To be kept once, however often this is called. */
  id?: string | undefined;
}

export interface Kept {
  action: 'stored' | 'merged' | 'superseded';
  node: Node;
  /** What it took the place of, and why. */
  superseded: { node: Node; reason: string }[];
  /** Secrets that were taken out. */
  redacted: number;
}

/** So many of the likest are compared with it. */
const reach = 8;

export async function keepMemory(scope: Scope, draft: Draft): Promise<Kept> {
  const { opened, project, projects, actor } = scope;
  const { graph } = opened;
  await ensureProject(scope);
  const { text, found: secrets } = redact(draft.text);
  const redacted = secrets.reduce((sum, { count }) => sum + count, 0);
  const context = redact(draft.context ?? '').text;
  if (draft.id !== undefined) {
    const before = await graph.get(draft.id);
    if (before) return { action: 'stored', node: before, superseded: [], redacted };
  }
  const alike = await graph.find({ query: text, projects, kinds: ['memory'], limit: reach, by: 'words' });
  const same = alike.find((found) => mayBeSame(found) && sayTheSame(found.node, { title: context, text }));
  if (same) return { action: 'merged', node: await merge(scope, same.node, draft), superseded: [], redacted };

  const said = Math.min(draft.saidAt ?? graph.now(), graph.now());
  // "It listens on 8443" speaks of another thing after other words.
  const comparable = alike.filter(({ node }) => node.title === context);
  const isLater = ({ node }: Found) => node.validFrom > said;
  const replaced = findReplaced(
    comparable.filter((found) => !isLater(found)),
    text,
  );
  // What was said later than this is not replaced by it, but the other way round.
  const later = comparable.find((found) => isLater(found) && contradicts(text, found.node.text));
  const moved = movedWhen(text);
  const since = replaced.length > 0 && moved ? readSpan(moved.text, said)?.from : undefined;
  const validFrom = since ?? (draft.saidAt === undefined ? undefined : said);
  const data = await describe(scope, draft, text, redacted);
  const keepsFor = retentionMs[data.kind];
  const validTo = draft.expiresAt ?? (keepsFor === undefined ? 'never' : said + keepsFor);
  const id = draft.id ?? createId('n');
  const [node] = await graph.put(
    [
      {
        id,
        project: project.id,
        kind: 'memory',
        title: context,
        text,
        data: { ...data },
        importance: draft.importance ?? classify(text).importance,
        confidence: draft.confidence ?? 1,
        source: draft.source ?? '',
        ...(validFrom !== undefined && { validFrom }),
        ...(validTo !== 'never' && { validTo }),
      },
    ],
    actor,
    {
      edges: [
        ...(data.session === undefined ? [] : [{ from: id, kind: 'in', to: nameSession(scope, data.session) }]),
        ...(draft.mentions ?? []).map((to) => ({ from: id, kind: 'mentions', to })),
      ],
      supersede: [
        ...replaced.map(({ node: older }) => ({ old: older.id, by: id, since: since ?? said })),
        ...(later ? [{ old: id, by: later.node.id, since: later.node.validFrom }] : []),
      ],
    },
  );
  const action = replaced.length > 0 ? 'superseded' : 'stored';
  return { action, node: node as Node, superseded: replaced, redacted };
}

/** Reading texts closely takes a while; two that say the same have their rarest words in common, if they have any. */
function mayBeSame({ coverage, weights }: Found): boolean {
  return weights.length === 0 || coverage > 0.6;
}

function findReplaced(alike: readonly Found[], text: string): { node: Node; reason: string }[] {
  const reader = createContradictionReader(text);
  return alike.flatMap(({ node }) => {
    const contradiction = reader.replaces(node.text);
    return contradiction ? [{ node, reason: contradiction.reason }] : [];
  });
}

/** The same said again: what is new about it is noted with what is there. */
async function merge({ opened, actor }: Scope, node: Node, draft: Draft): Promise<Node> {
  const data = dataOf(node);
  const tags = [...new Set([...(data.tags ?? []), ...(draft.tags ?? [])])];
  const next: MemoryData = { ...data, ...(tags.length > 0 && { tags }), repeated: (data.repeated ?? 0) + 1 };
  const importance = Math.max(node.importance, draft.importance ?? 0);
  await opened.graph.update(node.id, { data: { ...next }, importance }, actor);
  for (const to of draft.mentions ?? []) await opened.graph.link({ from: node.id, kind: 'mentions', to });
  return { ...node, data: { ...next }, importance };
}

async function describe(scope: Scope, draft: Draft, text: string, redacted: number): Promise<MemoryData> {
  const { kind, knowledge } = classify(text);
  const citations = findCitations(text);
  const cited = citations.length > 0 ? await takeSnapshot(citations, scope.project.root) : undefined;
  return {
    kind: draft.kind ?? kind,
    knowledge: draft.knowledge ?? knowledge,
    ...(draft.tags && draft.tags.length > 0 && { tags: [...new Set(draft.tags)] }),
    ...(draft.session !== undefined && { session: draft.session, place: await openSession(scope, draft.session) }),
    ...(draft.reason !== undefined && { reason: draft.reason }),
    ...(citations.length > 0 && { cited: cited ?? { files: {} } }),
    ...(redacted > 0 && { redacted }),
    ...(draft.saidAt !== undefined && { said: Math.min(draft.saidAt, scope.opened.graph.now()) }),
  };
}

/** Makes sure that the session has a node, and says how many memories it has. */
async function openSession(scope: Scope, session: string): Promise<number> {
  const place = await countEdges(scope.opened, nameSession(scope, session), 'in');
  if (place === 0) await ensureSession(scope, session);
  return place;
}

/** Whether what was said then is of a kind that is no longer recalled now. */
export function hasPassed(said: { text: string; kind?: MemoryKind; saidAt: number | undefined }, now: number): boolean {
  const keepsFor = said.saidAt === undefined ? undefined : retentionMs[said.kind ?? classify(said.text).kind];
  return keepsFor !== undefined && (said.saidAt as number) + keepsFor <= now;
}
