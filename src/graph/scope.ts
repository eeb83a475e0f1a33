// The graph as one caller may see it: its own project, and others only when they are named.
import type { Caller } from '../core/call.ts';
import { hashHex } from '../core/crypto.ts';
import { LoreError } from '../core/error.ts';
import type { GraphAccess } from './access.ts';
import { listProjects } from './census.ts';
import type { Node } from './node.ts';
import type { OpenGraph } from './open.ts';
import type { Operation } from './operation.ts';
import { identifyProject, type Project } from './project.ts';
import { resolveId } from './resolve-id.ts';

export interface Scope {
  opened: OpenGraph;
  project: Project;
  /** Who is to be named for a change. */
  actor: string;
}

export async function openScope(access: GraphAccess, caller: Caller): Promise<Scope> {
  // First: whoever has no project must not make a database either.
  const project = identifyProject(caller.folder);
  return { opened: await access.open(), project, actor: caller.id };
}

/** The ids of the projects that an argument names: by id, name or folder; `all` for every one; none for the caller's. */
export async function resolveProjects({ opened, project }: Scope, named: string | undefined): Promise<string[]> {
  if (named === undefined) return [project.id];
  const known = await listProjects(opened);
  if (named === 'all') return [...new Set([project.id, ...known.map((node) => node.project)])];
  const found = known.filter(({ project: id, title, data }) => [id, title, data.root].includes(named));
  if (found.length > 0) return found.map((node) => node.project);
  if (named === project.id || named === project.name || named === project.root) return [project.id];
  throw new LoreError('not_found', `Cannot look in project "${named}": nothing is known of it`, {
    hint: `Known: ${known.map(({ title }) => title).join(', ') || 'none yet'}; or "all".`,
  });
}

const ensured = new WeakMap<OpenGraph, Set<string>>();

/** Every project with lore has a node of its own, by which others find it. */
export async function ensureProject({ opened, project }: Scope): Promise<void> {
  const done = ensured.get(opened) ?? new Set<string>();
  ensured.set(opened, done);
  if (done.has(project.id)) return;
  const { id, name, root, via } = project;
  await opened.graph.ensure({
    id: nameNode('prj', id),
    project: id,
    kind: 'project',
    title: name,
    text: '',
    data: { root, via },
  });
  done.add(project.id);
}

/** A session's node: what was said or saved together hangs on it. */
export function nameSession({ project }: Pick<Scope, 'project'>, session: string): string {
  return nameNode('ses', project.id, session);
}

export async function ensureSession(scope: Scope, session: string): Promise<string> {
  const { opened, project } = scope;
  const id = nameSession(scope, session);
  await opened.graph.ensure({ id, project: project.id, kind: 'session', title: session, text: '' });
  return id;
}

/** An id that the same words always give: for nodes of which there is one for each name. */
export function nameNode(prefix: string, ...words: readonly string[]): string {
  return `${prefix}_${hashHex(JSON.stringify(words)).slice(0, 24)}`;
}

/** A node of the caller's own project by its id or a prefix of it: the node's own id is the one to go on with. */
export async function getOwn({ opened, project }: Scope, given: string, action: string): Promise<Node> {
  const id = await resolveId(opened.store, 'node', [project.id, project.tree], given);
  const node = id === undefined ? undefined : await opened.graph.get(id);
  if (node) return node;
  throw new LoreError('not_found', `Cannot ${action} "${given}": there is no such id in project "${project.name}"`);
}

/** An operation of the caller's own project, likewise. */
export async function getOwnOperation({ opened, project }: Scope, given: string, action: string): Promise<Operation> {
  const id = await resolveId(opened.store, 'operation', [project.id, project.tree], given);
  const operation = id === undefined ? undefined : await opened.operations.get(id);
  if (operation) return operation;
  throw new LoreError(
    'not_found',
    `Cannot ${action} "${given}": there is no such operation in project "${project.name}"`,
  );
}
