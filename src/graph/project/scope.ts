// The graph as one caller may see it: its own project, and others only if they are named.
import { hashHex } from '../../core/crypto.ts';
import { LoreError } from '../../core/error.ts';
import type { PermissionLevel } from '../../core/registry/permission.ts';
import { inOneLine } from '../../core/text/terminal.ts';
import { createVersionedCache, type VersionedCache } from '../../store/versioned-cache.ts';
import type { Node } from '../node.ts';
import type { OpenGraph } from '../open.ts';
import type { Operation } from '../operation/operation.ts';
import { resolveId } from '../resolve-id.ts';
import { findRelated, type KnownProject, listKnown } from './list.ts';
import { type Folder, type Project, treeOf } from './project.ts';
import { listReserved } from './reserved-folder.ts';
import { findFormer, resolvePlace } from './resolve.ts';
import { followMerges, listDecisions, listMembers } from './table.ts';
import { isUser } from './user.ts';

export interface Scope {
  opened: OpenGraph;
  /** All writes belong to it. */
  project: Project;
  /** Ids of the projects it reads: its own first, then those merged into it. */
  projects: readonly string[];
  /** The same with the user's own project, for queries: memories about the user apply here too. */
  withUser: readonly string[];
  /** The id of the user's own project. */
  user: string;
  /** Projects that this folder may belong to, until the user decides. */
  related: readonly KnownProject[];
  /** Recorded as the author of changes. */
  actor: string;
  /** The permission for projects other than the caller's own. */
  others: PermissionLevel;
  /** Set for persons on other machines: the projects they may use. */
  isShared?(project: Pick<KnownProject, 'id' | 'name'>): boolean;
}

const caches = new WeakMap<OpenGraph, VersionedCache>();
const maxCached = 64;

export type Opening = Pick<Scope, 'actor' | 'others'> & {
  /** The caller works in the folder, instead of only naming it. */
  granting: boolean;
};

/** The project of a folder. Only grant.ts calls this: it knows the folders that a caller may work in. */
export async function openFolder(opened: OpenGraph, folder: Folder, opening: Opening): Promise<Scope> {
  const { granting, ...rest } = opening;
  const { root, home, stamp, remotes, name, above } = folder;
  const key = JSON.stringify([root, home, stamp, remotes, above, granting]);
  const found = await cacheOf(opened).get(key, async () => {
    const place = await resolvePlace(opened, folder, { granting });
    const [own, related] = await Promise.all([
      readProject(opened, { id: place.project, root, name }),
      findRelated(opened, place),
    ]);
    return {
      user: opened.user,
      ...withFormer(own, above === undefined ? [] : await readFormer(opened, [above])),
      related,
    };
  });
  return { opened, ...rest, ...found };
}

/** For callers outside any project: the user's own memories, and those stored when such folders were still projects. */
export async function openHomeless(opened: OpenGraph, opening: Pick<Scope, 'actor' | 'others'>): Promise<Scope> {
  const own = describeUser(opened.user);
  const former = await cacheOf(opened).get('former', () => readFormer(opened, listReserved()));
  return { opened, ...opening, ...withFormer(own, former) };
}

function cacheOf(opened: OpenGraph): VersionedCache {
  const cache = caches.get(opened) ?? createVersionedCache(opened.store, maxCached);
  caches.set(opened, cache);
  return cache;
}

/** Includes memories whose folder is no longer a project. */
async function readFormer(opened: OpenGraph, paths: readonly string[]): Promise<string[]> {
  const [ids, decisions] = await Promise.all([findFormer(opened, paths), listDecisions(opened.store)]);
  return ids.flatMap((id) => listMembers(decisions, followMerges(decisions, id)));
}

function withFormer<T extends Pick<Scope, 'projects' | 'withUser'>>(scope: T, former: readonly string[]): T {
  const add = (ids: readonly string[]) => [...new Set([...ids, ...former])];
  return { ...scope, projects: add(scope.projects), withUser: add(scope.withUser) };
}

function describeUser(id: string): Pick<Scope, 'project' | 'projects' | 'withUser' | 'user' | 'related'> {
  return { project: { id, name: 'user', root: '', tree: id }, projects: [id], withUser: [id], user: id, related: [] };
}

/** Memories that belong to the user instead of the project, and apply in all folders. */
export function openUser(scope: Scope): Scope {
  return { ...scope, ...describeUser(scope.user) };
}

/** For a person on another machine: a project that persons share by its name, or the person's own. */
export async function openPerson(
  opened: OpenGraph,
  {
    user,
    shared,
    ...opening
  }: Pick<Scope, 'actor' | 'others' | 'user'> & {
    isShared: NonNullable<Scope['isShared']>;
    shared: { id: string; name: string } | undefined;
  },
): Promise<Scope> {
  if (!shared) return { opened, ...opening, ...describeUser(user) };
  const found = await cacheOf(opened).get(JSON.stringify([shared.id, user]), () =>
    readProject(opened, { ...shared, root: '' }, user),
  );
  return { opened, ...opening, ...found, user, related: [] };
}

/** The scope of earlier work, in the project that it belongs to by now. */
export async function reopenScope(
  opened: OpenGraph,
  { id, root, name, actor }: { id: string; root: string; name: string; actor: string },
): Promise<Scope> {
  const found = await readProject(opened, { id, root, name });
  return { opened, actor, others: 'off', related: [], user: opened.user, ...found };
}

async function readProject(
  { store, graph, user: local }: OpenGraph,
  given: { id: string; root: string; name: string },
  user = local,
) {
  const decisions = await listDecisions(store);
  const id = followMerges(decisions, given.id);
  const whole = id === given.id ? undefined : await graph.get(nameNode('prj', id));
  const name = decisions.find((one) => one.id === id)?.name || (whole?.title ?? given.name);
  const projects = listMembers(decisions, id);
  return {
    project: { id, name, root: given.root, tree: treeOf(id, given.root) },
    projects,
    withUser: [...projects, user],
  };
}

/**
 * The ids of the projects that an argument names: by id, name or folder; `all` for every one; none for the caller's. Every
 * reader takes its projects from here or from `scope.projects`, so that merged projects are read everywhere.
 */
export async function resolveProjects(scope: Scope, named: string | undefined): Promise<readonly string[]> {
  const { opened, project, projects, others } = scope;
  if (named === undefined || [project.id, project.root].includes(named)) return projects;
  if (others === 'off') {
    if (named === project.name) return projects;
    throw otherProjectsError(`search project "${named}"`, others, 'read');
  }
  const known = (await listKnown(opened)).filter((one) => scope.isShared?.(one) ?? true);
  if (named === 'all') return [...new Set([...projects, ...known.flatMap(({ members }) => members), scope.user])];
  // A project whose files are not readable has no root.
  const found = known.filter(
    ({ id, name, root, members }) => named !== '' && [id, name, root, ...members].includes(named),
  );
  if (found.length > 0) return found.flatMap(({ members }) => members);
  if (named === project.name) return projects;
  throw new LoreError('not_found', `Cannot search project "${named}": no project has this name, folder or id`, {
    hint: `Known projects: ${known.map(({ name }) => name).join(', ') || 'none yet'}. Use "all" for every project.`,
  });
}

/** Why the permission `projects` does not allow something. */
export function otherProjectsError(action: string, level: PermissionLevel, needed: 'read' | 'write'): LoreError {
  return new LoreError('forbidden', `Cannot ${action}: the permission "projects" is "${level}"`, {
    hint: `A person can allow it: lore allow projects --level ${needed}`,
  });
}

/** The notice for a user whose folder may belong to an existing project. */
export function askAboutRelated({ related }: Pick<Scope, 'related'>): string | undefined {
  if (related.length === 0) return undefined;
  const names = related.map(({ name }) => JSON.stringify(inOneLine(name).slice(0, longestName)));
  // It may be pasted into a shell, and names come from untrusted folders.
  const [{ id, name }] = related as [KnownProject];
  const word = [name, id].find((one) => /^\w[\w.:/@-]*$/.test(one));
  return [
    `This folder may belong to the project ${names.join(' or ')}, whose memories it does not share.`,
    `To share them: lore project merge${word === undefined ? '' : ` ${word}`}. To keep them separate: lore project split`,
  ].join('\n');
}

const longestName = 100;
const ensured = new WeakMap<OpenGraph, Set<string>>();

/** Every project with entries has a node by which others find it. */
export async function ensureProject({ opened, project }: Scope): Promise<void> {
  const done = ensured.get(opened) ?? new Set<string>();
  ensured.set(opened, done);
  // The user's own project is not searched for.
  if (isUser(project.id) || done.has(project.id)) return;
  const { id, name, root } = project;
  await opened.graph.ensure({
    id: nameNode('prj', id),
    project: id,
    kind: 'project',
    title: name,
    text: '',
    data: { root },
  });
  done.add(project.id);
}

/** The node of a session, to which its entries are linked. */
export function nameSession({ project }: Pick<Scope, 'project'>, session: string): string {
  return nameNode('ses', project.id, session);
}

export async function ensureSession(scope: Scope, session: string): Promise<string> {
  const { opened, project } = scope;
  const id = nameSession(scope, session);
  await opened.graph.ensure({ id, project: project.id, kind: 'session', title: session, text: '' });
  return id;
}

/** A deterministic id, for nodes that are unique by name. */
export function nameNode(prefix: string, ...words: readonly string[]): string {
  return `${prefix}_${hashHex(JSON.stringify(words)).slice(0, 24)}`;
}

/** The node of a commit. */
export function nameCommit(project: string, hash: string): string {
  return nameNode('com', project, hash);
}

/** The projects in which an id is searched: those of the project and the user, and the files of this working tree. */
export function listReadable({ project, withUser }: Pick<Scope, 'project' | 'withUser'>): string[] {
  return [...new Set([...withUser, project.tree])];
}

/** A node of the caller's own project or user, by id or prefix; use the returned node's id from then on. */
export async function getOwn(scope: Scope, given: string, action: string): Promise<Node> {
  const { opened, project } = scope;
  const id = await resolveId(opened.store, 'node', listReadable(scope), given);
  const node = id === undefined ? undefined : await opened.graph.get(id);
  if (node) return node;
  throw new LoreError('not_found', `Cannot ${action} "${given}": there is no such id in project "${project.name}"`);
}

/** An operation of the caller's own project, likewise. */
export async function getOwnOperation(scope: Scope, given: string, action: string): Promise<Operation> {
  const { opened, project, projects } = scope;
  const id = await resolveId(opened.store, 'operation', [...projects, project.tree], given);
  const operation = id === undefined ? undefined : await opened.operations.get(id);
  if (operation) return operation;
  throw new LoreError(
    'not_found',
    `Cannot ${action} "${given}": there is no such operation in project "${project.name}"`,
  );
}
