// Memories that are reviewed as files: the last version that was read of each file, and the operations that make a memory what its
// file says. They enter the log as those of any device do, so the memory and the log change in one transaction.
import { list, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import type { Node, NodeRow } from '../node.ts';
import type { OpenGraph } from '../open.ts';
import type { Scope } from '../project/scope.ts';
import { writeChanges } from './capture.ts';
import { captureChanges, listReferring, type Sharing, viewRows } from './capture-log.ts';
import type { SharedState } from './export.ts';
import { importOps } from './import-ops.ts';
import { writtenHere } from './log.ts';
import type { LogView } from './view.ts';

export interface ReviewedFile {
  /** Its content; empty until a version was read. */
  blob: string;
  /** The hash of the memory as a person proposed it here; empty after that was merged. */
  proposed: string;
}

/** By the id of the memory. */
export async function listReviewed(store: Pick<Store, 'all'>, project: string): Promise<Map<string, ReviewedFile>> {
  const rows = await store.all<ReviewedFile & { id: string }>(
    sql`select node_id as id, blob, proposed from reviewed_file where project = ${project}`,
  );
  return new Map(rows.map(({ id, ...file }) => [id, file]));
}

export async function noteReviewed(
  store: Pick<Store, 'run'>,
  project: string,
  id: string,
  { blob, proposed }: ReviewedFile,
): Promise<void> {
  await store.run(
    sql`insert into reviewed_file (project, node_id, blob, proposed) values (${project}, ${id}, ${blob}, ${proposed})
        on conflict (project, node_id) do update set blob = excluded.blob, proposed = excluded.proposed`,
  );
}

/** All that a file says of a memory. */
export interface ReviewedContent {
  title: string;
  text: string;
  kind: string;
  knowledge: string;
  /** Sorted. */
  tags: readonly string[];
  expires: number | null;
}

/** A memory here, with what the log knows of it. */
export interface ReviewedMemory {
  node?: Node;
  content?: ReviewedContent;
  /** Whether it was shared and taken back. */
  isRetracted: boolean;
  /** Whether it had this text at some time, here or elsewhere. */
  hadText(text: string): boolean;
  state: SharedState | undefined;
  view: LogView;
}

export async function viewReviewed(opened: OpenGraph, sharing: Sharing, id: string): Promise<ReviewedMemory> {
  // What the file changes was changed in knowledge of this.
  await captureChanges(opened, sharing, [id]);
  const { store } = opened;
  const rows = await store.all<NodeRow>(sql`select * from node where id = ${id}`);
  const { view, states } = await viewRows(store, sharing, [id], rows);
  const [found] = states;
  const { retracted, memory } = view.foldedOf(id);
  return {
    ...(found && { node: found.node, content: contentOf(found.state) }),
    isRetracted: retracted && memory === undefined,
    hadText: (text) => view.opsOf(id).some(({ set }) => set?.text === text),
    state: found?.state,
    view,
  };
}

function contentOf({ fields, tags }: SharedState): ReviewedContent {
  const { title = '', text, kind = '', knowledge = '', expires = null } = fields;
  return { title, text, kind, knowledge, tags, expires };
}

export interface ReviewOrigin {
  /** Who wrote it, as git has it. */
  by: string;
  at: number;
  source: string;
}

/** Stores, changes or shares the memory. */
export async function writeReviewed(
  opened: OpenGraph,
  sharing: Sharing,
  id: string,
  { view, state, node }: ReviewedMemory,
  { tags, ...fields }: ReviewedContent,
  { by, at, source }: ReviewOrigin,
): Promise<void> {
  const wall = Math.min(at, opened.graph.now());
  const fresh: SharedState = {
    fields: { ...fields, importance: 0.5, confidence: 1, created: wall, said: null },
    tags,
    forgotten: false,
    successor: undefined,
    since: 0,
    links: [],
  };
  const next = state ? { ...state, fields: { ...state.fields, ...fields }, tags } : fresh;
  const before = {
    folded: view.foldedOf(id),
    state: view.stateOf(id),
    seen: view.opsOf(id).map((op) => op.at),
  };
  const ops = writeChanges(id, before, next, { dev: sharing.dev, by, wall });
  await importOps(opened, { ...sharing, source, adopts: id }, ops, writtenHere);
  if (node && node.level !== sharing.level) {
    // Links to it, and what it supersedes, can be told only now.
    await captureChanges(opened, sharing, await listReferring(opened.store, sharing, [id]));
  }
}

export async function listMemories({ opened, projects }: Scope): Promise<string[]> {
  const rows = await opened.store.all<{ id: string }>(
    sql`select id from node where project in ${list(projects)} and kind = 'memory' and forgotten_at is null
        and superseded_by is null and (valid_to is null or valid_to > ${opened.graph.now()}) order by id`,
  );
  return rows.map(({ id }) => id);
}
