// Which repository a call means: the caller's own project, another granted folder, or a clone of a git address.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { defaultLocation } from '../../../core/location.ts';
import { isInside } from '../../../core/path.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import { identifyFolder, nameTree } from '../../../graph/project/project.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { CloneLimits } from './clones.ts';

export interface RepositoryTree {
  /** The repository's top, without links. */
  root: string;
  name: string;
  /** What tells its files apart from the rest of the project's, where they are not its whole working tree. */
  part?: string;
  /** Of a clone. */
  url?: string;
  /** Of another folder than the caller's own, as the caller named it. */
  folder?: string;
}

export interface OpenTree extends RepositoryTree {
  scope: Scope;
  /** The caller's own project. */
  asker: string;
}

/** Who asks. Without a signal a clone is waited for to its end. */
export type Asking = Pick<Call, 'caller'> &
  Partial<Pick<Call, 'signal' | 'progress'>> & {
    /** The newest of a git address, however lately it was looked at. */
    fresh?: boolean;
    /** Something is written to the repository's project. */
    writes?: boolean;
  };

export interface Places {
  /** Without opening the graph. */
  locate(call: Asking, repo?: string): Promise<RepositoryTree>;
  open(call: Asking, repo?: string): Promise<OpenTree>;
  /** Opens the graph for a place that was located before. */
  enter(call: Pick<Call, 'caller'>, place: RepositoryTree): Promise<OpenTree>;
  /** Whether a root is that of a clone: a newer state gets a folder of its own, and the older one goes. */
  isClone(root: string): boolean;
  /** Ends what is being cloned. */
  stop(): void;
}

export interface PlaceSettings {
  /** Where clones are kept. */
  cache?: string | undefined;
  limits?: CloneLimits | undefined;
}

export function createPlaces(folders: Folders, settings: PlaceSettings = {}): Places {
  const { cache = join(dirname(defaultLocation()), 'repositories'), limits } = settings;
  let stopping = new AbortController();
  async function locate(call: Asking, repo?: string): Promise<RepositoryTree> {
    const { locatePlace } = await import('./locate.ts');
    return locatePlace(folders, { folder: cache, limits, stopping: stopping.signal }, call, repo);
  }
  async function enter({ caller }: Pick<Call, 'caller'>, place: RepositoryTree): Promise<OpenTree> {
    const own = await folders.open(caller);
    const asker = own.project.id;
    const { root, part, folder } = place;
    // The address of a clone is its own proof of what it is, but memories about that are its own project's.
    if (place.url !== undefined) return { ...place, asker, scope: { ...own, ...describeClone(place) } };
    const scope = folder === undefined ? own : await folders.enter(caller, folder, 'files');
    if (part === undefined) return { ...place, asker, scope };
    const project = { ...scope.project, root, tree: nameTree(scope.project.id, part) };
    return { ...place, asker, scope: { ...scope, project } };
  }
  return {
    locate,
    open: async (call, repo) => enter(call, await locate(call, repo)),
    enter,
    isClone: (root) => isInside(root, cache) || (existsSync(cache) && isInside(root, realpathSync(cache))),
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
