// Saving a checkpoint: what was written down, tied to the commit it was made at, the memories it builds on and the files
// it speaks of.
import { createId } from '../../../core/id.ts';
import { redact } from '../../../core/redact.ts';
import { nameCommit, readHead } from '../../../graph/git-head.ts';
import type { NewEdge } from '../../../graph/graph.ts';
import { isCurrent, type Node } from '../../../graph/node.ts';
import { ensureProject, ensureSession, type Scope } from '../../../graph/scope.ts';
import { listTitled } from '../../../graph/survey.ts';
import { type CheckpointData, checkpointKind } from './checkpoint.ts';
import { markFiles } from './files.ts';
import { nameText, summarize } from './summary.ts';

export interface Draft {
  content: string;
  name?: string | undefined;
  summary?: string | undefined;
  session?: string | undefined;
  metadata?: { readonly [key: string]: unknown } | undefined;
}

export interface Saved {
  node: Node;
  /** Ids of the memories that it builds on. */
  memories: string[];
  redacted: number;
}

/** Memories are of the same work when they were kept since the last checkpoint, and not longer ago than this. */
const workMs = 12 * 3_600_000;
const maxMemories = 20;
const namedMemory = /\bn_[0-9a-z]{10,40}\b/g;

export async function saveCheckpoint(scope: Scope, draft: Draft): Promise<Saved> {
  const { opened, project, actor } = scope;
  const { text, found } = redact(draft.content);
  const redacted = found.reduce((sum, { count }) => sum + count, 0);
  const [files, memories] = await Promise.all([markFiles(text, project.root), findMemories(scope, draft, text)]);
  const { branch, commit } = readHead(project.root) ?? {};
  const { session, metadata } = draft;
  const data: CheckpointData = {
    name: redact(draft.name ?? '').text || nameText(text),
    summary: redact(draft.summary ?? '').text || summarize(text),
    ...(session !== undefined && { session }),
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(Object.keys(files).length > 0 && { files }),
    ...(metadata !== undefined && { metadata }),
    ...(redacted > 0 && { redacted }),
  };
  await ensureProject(scope);
  const id = createId('cp');
  const edges = [
    ...memories.map((to) => ({ from: id, kind: 'builds_on', to })),
    ...(await tie(scope, id, commit, session)),
  ];
  const title = `${data.name}\n${data.summary}`;
  const [node] = await opened.graph.put(
    [{ id, project: project.id, kind: checkpointKind, title, text, data: { ...data }, importance: 0.6 }],
    actor,
    { edges },
  );
  return { node: node as Node, memories, redacted };
}

/** A commit has a node only where the history was read. */
async function tie(scope: Scope, id: string, commit: string | undefined, session: string | undefined) {
  const { opened, project } = scope;
  const edges: NewEdge[] = [];
  if (commit !== undefined) {
    const to = nameCommit(project.id, commit);
    if (await opened.graph.get(to)) edges.push({ from: id, kind: 'made_at', to });
  }
  if (session !== undefined) {
    // Not `in`, by which a session's memories are counted and put in order.
    edges.push({ from: id, kind: 'saved_in', to: await ensureSession(scope, session) });
  }
  return edges;
}

/** Those that it names, and those kept in the same work. */
async function findMemories({ opened, project }: Scope, { session }: Draft, text: string): Promise<string[]> {
  const { graph, store } = opened;
  const now = graph.now();
  const [last] = await listTitled(store, { project: project.id, kind: checkpointKind, limit: 1, at: now });
  const since = Math.max(now - workMs, last?.createdAt ?? 0);
  const ofWork = ({ createdAt, data }: Pick<Node, 'createdAt' | 'data'>) =>
    createdAt > since && (session === undefined || data.session === undefined || data.session === session);
  const recent = await listTitled(store, { project: project.id, kind: 'memory', limit: maxMemories, at: now });
  const named = [...new Set(text.match(namedMemory) ?? [])].slice(0, maxMemories);
  const known = (await graph.getAll(named)).filter((node) => node.project === project.id && isCurrent(node, now));
  return [...new Set([...known, ...recent.filter(ofWork)].map(({ id }) => id))];
}
