// What a project sees of a mount: the user's further rules for callers in its folder. They can hide tools and set arguments, but
// bring back nothing that the mount itself hides or locks.
import { realpathSync, statSync } from 'node:fs';
import { isInside } from '../../../core/path.ts';
import type { Mount, ToolRules } from './mount.ts';
import type { MountState } from './store.ts';

/** The same object for the same folder, because catalogs are prepared once for each. */
const views = new WeakMap<MountState, Map<string, MountState>>();

export function viewIn(state: MountState, folder: string): MountState {
  const { profiles } = state.mount;
  if (!profiles) return state;
  const known = views.get(state) ?? new Map<string, MountState>();
  views.set(state, known);
  const view = known.get(folder) ?? applyProfiles(state, folder);
  known.set(folder, view);
  return view;
}

/** All that fit, the folder nearest to the caller last. */
function applyProfiles(state: MountState, folder: string): MountState {
  const { profiles = {} } = state.mount;
  const real = realFolder(folder) ?? folder;
  const fitting = Object.keys(profiles)
    .filter((top) => isInside(real, top))
    .sort((a, b) => a.length - b.length)
    .map((top) => profiles[top] as ToolRules);
  return fitting.length === 0
    ? state
    : { ...state, mount: fitting.reduce(setArguments, state.mount), narrowed: fitting };
}

function setArguments(mount: Mount, { defaults, locked }: ToolRules): Mount {
  return { ...mount, defaults: { ...mount.defaults, ...defaults }, locked: { ...locked, ...mount.locked } };
}

/** Undefined if there is none. */
export function realFolder(folder: string): string | undefined {
  try {
    // As the system writes it: where case does not matter, a folder has many names.
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
