// Saves a checkpoint with links to its commit, the memories it cites and the files it mentions. A session has one automatic
// checkpoint: the next replaces it.
import { createId } from '../../../core/id.ts';
import { redact, redactSoon } from '../../../core/secret/redact.ts';
import { readHead } from '../../../graph/git/head.ts';
import type { NewEdge } from '../../../graph/graph.ts';
import { isCurrent, type Node } from '../../../graph/node.ts';
import { ensureProject, ensureSession, nameCommit, nameSession, type Scope } from '../../../graph/project/scope.ts';
import { listSources } from '../../../graph/walk.ts';
import { type CheckpointData, checkpointKind, isAutomatic } from './checkpoint.ts';
import { findCited } from './cite.ts';
import { markFiles } from './files.ts';
import { nameText, summarize } from './summary.ts';

export interface CheckpointDraft {
  content: string;
  name?: string | undefined;
  summary?: string | undefined;
  session?: string | undefined;
  metadata?: { readonly [key: string]: unknown } | undefined;
}

export interface Saved {
  node: Node;
  /** Ids of the memories that it cites. */
  memories: string[];
  redacted: number;
}

export async function saveCheckpoint(scope: Scope, draft: CheckpointDraft): Promise<Saved> {
  const { opened, project, actor } = scope;
  const { text, found } = await redactSoon(draft.content);
  const redacted = found.reduce((sum, { count }) => sum + count, 0);
  const [files, memories] = await Promise.all([markFiles(text, project.root), findCited(scope, text)]);
  const { branch, commit } = (project.root !== '' && readHead(project.root)) || {};
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
    { edges, supersede: (await findReplaced(scope, draft)).map((old) => ({ old, by: id, since: opened.graph.now() })) },
  );
  return { node: node as Node, memories, redacted };
}

/** A commit has a node only if the git history was synced. */
async function tie(scope: Scope, id: string, commit: string | undefined, session: string | undefined) {
  const { opened, projects } = scope;
  const edges: NewEdge[] = [];
  if (commit !== undefined) {
    const [known] = await opened.graph.getAll(projects.map((project) => nameCommit(project, commit)));
    if (known) edges.push({ from: id, kind: 'made_at', to: known.id });
  }
  if (session !== undefined) {
    // Not `in`, which counts and orders the memories of a session.
    edges.push({ from: id, kind: 'saved_in', to: await ensureSession(scope, session) });
  }
  return edges;
}

/** The automatic checkpoints that the session has so far. */
async function findReplaced(scope: Scope, { session, metadata = {} }: CheckpointDraft): Promise<string[]> {
  if (session === undefined || !isAutomatic({ data: { metadata } })) return [];
  const { graph, store } = scope.opened;
  const saved = await graph.getAll(await listSources(store, nameSession(scope, session), 'saved_in'));
  return saved.filter((node) => isAutomatic(node) && isCurrent(node, graph.now())).map(({ id }) => id);
}
