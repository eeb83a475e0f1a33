// Which repository a call means: the caller's own project, a folder within the allowed roots, or a clone of a git address.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { defaultLocation } from '../../../core/location.ts';
import { isInside } from '../../../core/path.ts';
import type { GraphAccess } from '../../../graph/access.ts';
import type { Project } from '../../../graph/project.ts';
import { openScope, type Scope } from '../../../graph/scope.ts';
import type { CloneLimits } from './clones.ts';

export interface Place {
  /** The repository's top, without links. */
  root: string;
  name: string;
  project: Project;
  /** Of a clone. */
  url?: string;
}

export interface OpenPlace extends Place {
  scope: Scope;
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
  return {
    locate,
    async open(call, repo) {
      const place = await locate(call, repo);
      const { opened, actor } = await openScope(access, { ...call.caller, folder: place.root });
      return { ...place, scope: { opened, actor, project: place.project } };
    },
    isClone: (root) => isInside(root, cache) || (existsSync(cache) && isInside(root, realpathSync(cache))),
    stop() {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}
