// Which repository a call means: the caller's own project, a folder within the allowed roots, or a clone of a git address.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { defaultLocation } from '../../../core/location.ts';
import { isInside } from '../../../core/path.ts';
import type { GraphAccess } from '../../../graph/access.ts';
import { identifyFolder, nameTree } from '../../../graph/project.ts';
import { openScope, type Scope } from '../../../graph/scope.ts';
import type { CloneLimits } from './clones.ts';

export interface Place {
  /** The repository's top, without links. */
  root: string;
  name: string;
  /** What tells its files apart from the rest of the project's, where they are not its whole working tree. */
  part?: string;
  /** Of a clone. */
  url?: string;
}

export interface OpenPlace extends Place {
  scope: Scope;
  /** The caller's own project. */
  asker: string;
}

/** Who asks. Without a signal a clone is waited for to its end. */
export type Asking = Pick<Call, 'caller'> &
  Partial<Pick<Call, 'signal' | 'progress'>> & {
    /** The newest of a git address, however lately it was looked at. */
    fresh?: boolean;
  };

export interface Places {
  /** Without opening the graph. */
  locate(call: Asking, repo?: string): Promise<Place>;
  open(call: Asking, repo?: string): Promise<OpenPlace>;
  /** Opens the graph for a place that was located before. */
  enter(call: Pick<Call, 'caller'>, place: Place): Promise<OpenPlace>;
  /** Whether a root is that of a clone: a newer state gets a folder of its own, and the older one goes. */
  isClone(root: string): boolean;
  /** Ends what is being cloned. */
  stop(): void;
}

export interface PlaceSettings {
  /** Folders that may be read besides the caller's project. */
  roots?: readonly string[] | undefined;
  /** Where clones are kept. */
  cache?: string | undefined;
  limits?: CloneLimits | undefined;
}

export function createPlaces(access: GraphAccess, settings: PlaceSettings = {}): Places {
  const { roots = [], cache = join(dirname(defaultLocation()), 'repositories'), limits } = settings;
  let stopping = new AbortController();
  async function locate(call: Asking, repo?: string): Promise<Place> {
    const { locatePlace } = await import('./locate.ts');
    return locatePlace({ roots, clones: { folder: cache, limits, stopping: stopping.signal } }, call, repo);
  }
  async function enter({ caller }: Pick<Call, 'caller'>, place: Place): Promise<OpenPlace> {
    const own = await openScope(access, caller);
    const asker = own.project.id;
    const { root, part } = place;
    // The address of a clone is its own proof of what it is, but memories about that are its own project's.
    if (place.url !== undefined) return { ...place, asker, scope: { ...own, ...describeClone(place) } };
    const scope = await openScope(access, { ...caller, folder: root });
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

function describeClone({ root, name, part = root }: Place): Pick<Scope, 'project' | 'projects' | 'related'> {
  const { claim: id } = identifyFolder(root);
  return { project: { id, name, root, tree: nameTree(id, part) }, projects: [], related: [] };
}
