// Writes the folded state of shared memories to the graph. Only what differs is written, so that what others do not know stays:
// keys, sessions, links to private memories.
import { cleanDeep, redactSoon } from '../../core/secret/redact.ts';
import { runSoon } from '../../core/steps.ts';
import { inOneLine } from '../../core/text/terminal.ts';
import type { Document } from '../../search/document.ts';
import { putFresh } from '../../search/put.ts';
import { list, type Sql, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { createChangeId } from '../change-id.ts';
import { createNode, hashOf } from '../create-node.ts';
import { findMentioned } from '../entity/mention.ts';
import { type Edge, mayDisagree, type Node } from '../node.ts';
import type { OpenGraph } from '../open.ts';
import { removeNodes } from '../purge/purge.ts';
import { type Action, insertChanges, insertEdges, insertNodes } from '../statement.ts';
import { compareStates, type StateDifference, timeOf } from './capture.ts';
import type { Sharing } from './capture-log.ts';
import type { SharedState } from './export.ts';
import type { FoldedMemory } from './fold.ts';
import { authorOf, type SharedOp } from './op.ts';
import type { LogView } from './view.ts';

/** One memory that may have to change; without a state it was retracted. */
export interface SharedWrite {
  id: string;
  state: SharedState | undefined;
  found: { node: Node; state: SharedState } | undefined;
  ops: readonly SharedOp[];
}

interface ChangedMemory {
  node: Node;
  before: Node;
  difference: StateDifference;
  actor: string;
}

interface PreparedWrites {
  stored: Node[];
  changed: ChangedMemory[];
  /** Came from elsewhere, so they go. */
  removed: string[];
  /** Were written here, so they stay, as private ones. */
  kept: string[];
  documents: Document[];
  edges: Edge[];
  unlinked: Edge[];
  at: number;
}

/** What others say about it, beside the data that is described in services. */
interface ImportedData {
  /** Who wrote its text, and whether a signature proves that; absent if it was first written here. */
  shared?: { by: string; signed?: boolean };
  /** Texts that others wrote at the same time. */
  rivals?: readonly { text: string; by: string }[];
}

const longestName = 100;

export async function prepareWrite(
  opened: OpenGraph,
  sharing: Sharing & { source?: string },
  view: LogView,
  writes: readonly SharedWrite[],
): Promise<PreparedWrites> {
  const at = opened.graph.now();
  const prepared: PreparedWrites = {
    stored: [],
    changed: [],
    removed: [],
    kept: [],
    documents: [],
    edges: [],
    unlinked: [],
    at,
  };
  for (const write of writes) {
    const { id, state, found } = write;
    if (!state) (isForeign(view, write) ? prepared.removed : prepared.kept).push(id);
    else if (!found) prepared.stored.push(await create(sharing, view, write, state, at));
    else await change(prepared, sharing, view, write, state, found);
    if (state) link(prepared, sharing, view, write, state);
  }
  const texts = prepared.changed.filter(({ before, node }) => before.hash !== node.hash).map(({ node }) => node);
  const described = [...prepared.stored, ...texts];
  if (described.length > 0) prepared.documents = await opened.graph.describe(described);
  return prepared;
}

function isImported(node: Node | undefined): boolean {
  return (node?.data as ImportedData | undefined)?.shared !== undefined;
}

/** It came from elsewhere, and was not edited here, unless somebody retracted it with all edits. */
function isForeign(view: LogView, { id, found, ops }: SharedWrite): boolean {
  const isEdited = ops.some((op) => op.here && op.set?.text !== undefined);
  return isImported(found?.node) && (view.foldedOf(id).retracted || !isEdited);
}

/** Who wrote it, for people. Nobody's name can look like a signature. */
function nameSource(level: string, { by, signed = false }: NonNullable<ImportedData['shared']>): string {
  return `${level}${signed ? ' (signed)' : ''}${by === '' ? '' : `: ${by}`}`;
}

function describeAuthor({ by, signed }: FoldedMemory): NonNullable<ImportedData['shared']> {
  return { by: nameAuthor(by), ...(signed && { signed }) };
}

function nameAuthor(by: string): string {
  return inOneLine(by).slice(0, longestName);
}

async function create(
  { project, level, source }: Sharing & { source?: string },
  view: LogView,
  { id, ops }: SharedWrite,
  { fields, tags, forgotten, successor, since }: SharedState,
  now: number,
): Promise<Node> {
  const created = Math.min(fields.created ?? now, now);
  const shared = describeAuthor(view.foldedOf(id).memory as FoldedMemory);
  const expires = fields.expires ?? undefined;
  const node = await runSoon(
    createNode(
      {
        id,
        project,
        kind: 'memory',
        title: fields.title ?? '',
        text: fields.text,
        data: { ...describeData(fields, tags, view, id), shared },
        importance: fields.importance ?? 0.5,
        confidence: fields.confidence ?? 1,
        source: source ?? nameSource(level, shared),
        validFrom: Math.min(fields.said ?? created, now),
      },
      created,
    ),
  );
  const validTo = successor === undefined ? expires : Math.min(since, expires ?? since);
  return {
    ...node,
    updatedAt: Math.min(timeOf(ops), now),
    accessedAt: now,
    validTo,
    supersededBy: successor,
    forgottenAt: forgotten ? now : undefined,
    level,
  };
}

function describeData(fields: SharedState['fields'], tags: readonly string[], view: LogView, id: string) {
  const rivals = view.foldedOf(id).memory?.rivals ?? [];
  return {
    kind: fields.kind ?? '',
    knowledge: fields.knowledge ?? '',
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(typeof fields.said === 'number' && { said: fields.said }),
    ...(rivals.length > 0 && { rivals: rivals.map(({ text, by }) => ({ text, by: nameAuthor(by) })) }),
  };
}

async function change(
  prepared: PreparedWrites,
  { level }: Sharing,
  view: LogView,
  { id, ops }: SharedWrite,
  state: SharedState,
  { node: before, state: was }: NonNullable<SharedWrite['found']>,
): Promise<void> {
  const difference = compareStates(was, state);
  const {
    tags: _,
    said: __,
    rivals: known,
    ...rest
  } = before.data as ImportedData & { tags?: unknown; said?: unknown };
  const author = describeAuthor(view.foldedOf(id).memory as FoldedMemory);
  // Known only now, if it was signed later or the list of signers has changed.
  const isRenamed =
    rest.shared !== undefined &&
    before.source === nameSource(level, rest.shared) &&
    before.source !== nameSource(level, author);
  const described = {
    ...rest,
    ...(isRenamed && { shared: author }),
    ...describeData(state.fields, state.tags, view, id),
  };
  const data = await runSoon(cleanDeep(described));
  const hasRivals = JSON.stringify(known ?? []) !== JSON.stringify((data as ImportedData).rivals ?? []);
  if (!difference && !hasRivals && !isRenamed && before.level === level) return;
  const { fields } = state;
  const [title, text] = [(await redactSoon(fields.title ?? '')).text, (await redactSoon(fields.text)).text];
  const last = ops.reduce<SharedOp | undefined>((newest, op) => (newest && newest.at > op.at ? newest : op), undefined);
  prepared.changed.push({
    before,
    difference: difference ?? { set: {}, add: [], remove: [], link: [], unlink: [] },
    actor: `sync ${last ? nameAuthor(authorOf(last)) : ''}`.trim(),
    node: {
      ...before,
      title,
      text,
      data,
      ...(isRenamed && { source: nameSource(level, author) }),
      importance: fields.importance ?? 0.5,
      confidence: fields.confidence ?? 1,
      hash: hashOf(before.kind, title, text),
      level,
      updatedAt: Math.min(timeOf(ops), prepared.at),
      ...describeEnd(before, was, state, prepared.at),
    },
  });
}

/** Whether and until when it is valid. What a private memory ended here stays so. */
function describeEnd(before: Node, was: SharedState, state: SharedState, at: number) {
  const isHidden = before.supersededBy !== undefined && was.successor === undefined && state.successor === undefined;
  const expires = state.fields.expires ?? undefined;
  const end = Math.min(before.validTo ?? state.since, state.since);
  return {
    supersededBy: isHidden ? before.supersededBy : state.successor,
    validTo: isHidden ? before.validTo : state.successor === undefined ? expires : end,
    forgottenAt: state.forgotten ? (before.forgottenAt ?? at) : undefined,
  };
}

/** Edges between shared memories, and between those that replaced the same one at the same time. */
function link(
  prepared: PreparedWrites,
  { project }: Sharing,
  view: LogView,
  { id, found }: SharedWrite,
  state: SharedState,
): void {
  const whole = (from: string, kind: string, to: string, weight = 1): Edge => ({
    from,
    kind,
    to,
    project,
    weight,
    data: {},
    createdAt: prepared.at,
  });
  const difference = found && compareStates(found.state, state);
  const links = found ? (difference?.link ?? []) : state.links;
  prepared.edges.push(...links.map((one) => whole(id, one.kind, one.to, one.weight)));
  prepared.unlinked.push(...(difference?.unlink ?? []).map((one) => whole(id, one.kind, one.to)));
  if (state.successor === undefined) return;
  prepared.edges.push(whole(state.successor, 'supersedes', id));
  const others = view.successorsOf(id).filter((one) => one.with !== state.successor);
  prepared.edges.push(...others.map((one) => whole(state.successor as string, mayDisagree, one.with)));
}

export async function writeMemories(tx: Transaction, { level }: Sharing, prepared: PreparedWrites): Promise<void> {
  const { stored, changed, removed, kept, documents, at } = prepared;
  await insertNodes(tx, stored);
  for (let from = 0; from < stored.length; from += 500) {
    const ids = stored.slice(from, from + 500).map(({ id }) => id);
    await tx.run(sql`update node set level = ${level} where id in ${list(ids)}`);
  }
  const mentioned = findMentioned(stored, at);
  await insertNodes(tx, mentioned.entities);
  await insertEdges(tx, mentioned.edges);
  const news = stored.map((node) => ({
    id: createChangeId(at),
    node,
    actor: `sync ${(node.data as ImportedData).shared?.by ?? ''}`.trim(),
    action: 'put' as const,
    at,
  }));
  await insertChanges(tx, news);
  for (const one of changed) await writeChanged(tx, one, at);
  if (kept.length > 0) await tx.run(sql`update node set level = 'private' where id in ${list(kept)}`);
  if (removed.length > 0) await removeNodes(tx, removed);
  for (const { from, kind, to } of prepared.unlinked)
    await tx.run(sql`delete from edge where from_id = ${from} and kind = ${kind} and to_id = ${to}`);
  await insertEdges(tx, prepared.edges);
  await putFresh(tx, documents);
}

async function writeChanged(tx: Transaction, { node, before, difference, actor }: ChangedMemory, at: number) {
  const { id } = node;
  const isEdited = node.hash !== before.hash;
  await tx.run(sql`update node set ${assign(node)} where id = ${id}`);
  await insertChanges(tx, [
    { id: createChangeId(at), node: before, actor, action: actionOf(difference, isEdited), at },
  ]);
  if (!isEdited) return;
  const { entities, edges } = findMentioned([node], at);
  await tx.run(sql`delete from edge where from_id = ${id} and kind = 'mentions' and to_id like 'ent_%'`);
  await insertNodes(tx, entities);
  await insertEdges(tx, edges);
}

function assign(node: Node): Sql {
  const { title, text, hash, source, importance, confidence, level, updatedAt, validTo, supersededBy, forgottenAt } =
    node;
  return sql`title = ${title}, text = ${text}, hash = ${hash}, data = ${JSON.stringify(node.data)}, source = ${source},
    importance = ${importance}, confidence = ${confidence}, level = ${level}, updated_at = ${updatedAt},
    valid_to = ${validTo ?? null}, superseded_by = ${supersededBy ?? null}, forgotten_at = ${forgottenAt ?? null}`;
}

function actionOf({ forgotten, successor, set }: StateDifference, isEdited: boolean): Action {
  if (forgotten) return 'forget';
  if (typeof successor === 'string') return 'supersede';
  if (forgotten === false || successor === null) return 'restore';
  if (isEdited) return 'edit';
  return typeof set.expires === 'number' ? 'expire' : 'update';
}
