// Opens the repository of a call: the caller's own project, another granted folder, or a clone of a git address.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../../core/call.ts';
import { defaultLocation } from '../../core/location.ts';
import { isInside } from '../../core/path.ts';
import type { Host } from '../../core/service.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { identifyFolder, nameTree } from '../../graph/project/project.ts';
import type { Scope } from '../../graph/project/scope.ts';
import type { CloneLimits } from './clone/clones.ts';

export interface RepositoryTree {
  /** Top of the repository, as a real path. */
  root: string;
  name: string;
  /** Identifies the tree within its project, if it is not the whole working tree. */
  part?: string;
  /** Address of a clone. */
  url?: string;
  /** A folder other than the caller's own, as the caller wrote it. */
  folder?: string;
}

export interface OpenTree extends RepositoryTree {
  scope: Scope;
  /** The caller's own project. */
  callerProject: string;
}

/** The call. Without a signal, a clone cannot be cancelled. */
export type RepoCall = Pick<Call, 'caller'> &
  Partial<Pick<Call, 'signal' | 'progress'>> & {
    /** Check the remote, even if it was checked recently. */
    fresh?: boolean;
    /** The call writes to the repository's project. */
    writes?: boolean;
  };

export interface RepoContext {
  /** Does not open the graph. */
  locate(call: RepoCall, repo?: string): Promise<RepositoryTree>;
  open(call: RepoCall, repo?: string): Promise<OpenTree>;
  /** Opens the graph for a located tree. */
  enter(call: Pick<Call, 'caller'>, place: RepositoryTree): Promise<OpenTree>;
  /** Whether a root is a clone's: each version has its own folder, and old ones are deleted. */
  isClone(root: string): boolean;
  /** The content of a resource has changed. */
  updated(uri: string): void;
  start(host: Host): void;
  /** Cancels running clones. */
  stop(): void;
}

export interface RepoSettings {
  /** Folder of the clones. */
  cache?: string | undefined;
  limits?: CloneLimits | undefined;
}

export function createRepoContext(folders: Folders, settings: RepoSettings = {}): RepoContext {
  const { cache = join(dirname(defaultLocation()), 'repositories'), limits } = settings;
  let stopping = new AbortController();
  let host: Host | undefined;
  async function locate(call: RepoCall, repo?: string): Promise<RepositoryTree> {
    const { locateTree } = await import('./clone/locate.ts');
    return locateTree(folders, { folder: cache, limits, stopping: stopping.signal }, call, repo);
  }
  async function enter({ caller }: Pick<Call, 'caller'>, place: RepositoryTree): Promise<OpenTree> {
    const own = await folders.open(caller);
    const callerProject = own.project.id;
    const { root, part, folder } = place;
    // The address identifies a clone, but gives no access to memories of that project.
    if (place.url !== undefined) return { ...place, callerProject, scope: { ...own, ...describeClone(place) } };
    const scope = folder === undefined ? own : await folders.enter(caller, folder, 'files');
    if (part === undefined) return { ...place, callerProject, scope };
    const project = { ...scope.project, root, tree: nameTree(scope.project.id, part) };
    return { ...place, callerProject, scope: { ...scope, project } };
  }
  return {
    locate,
    open: async (call, repo) => enter(call, await locate(call, repo)),
    enter,
    isClone: (root) => isInside(root, cache) || (existsSync(cache) && isInside(root, realpathSync(cache))),
    updated: (uri) => host?.updated(uri),
    start(given) {
      host = given;
    },
    stop() {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}

function describeClone({ root, name, part = root }: RepositoryTree): Pick<Scope, 'project' | 'projects' | 'related'> {
  const { claim: id } = identifyFolder(root);
  return { project: { id, name, root, tree: nameTree(id, part) }, projects: [], related: [] };
}
