// What a project sees of a mount: the user's further rules for callers in its folder. They can hide tools and set arguments, but
// bring back nothing that the mount itself hides or locks.
import { realpathSync } from 'node:fs';
import type { Caller } from '../../../core/call.ts';
import { isInside } from '../../../core/path.ts';
import { isIncluded, type Mount, type ToolRules } from './mount.ts';
import type { MountState } from './store.ts';

/** The same object for the same folder, because catalogs are prepared once for each. */
const views = new WeakMap<MountState, Map<string, MountState>>();

export function viewFor(state: MountState, { folder }: Pick<Caller, 'folder'>): MountState {
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
  const real = realFolder(folder);
  const fitting = Object.keys(profiles).filter((top) => isInside(real, top));
  const mount = fitting
    .sort((a, b) => a.length - b.length)
    .reduce((all, top) => narrow(all, profiles[top] ?? {}, state), state.mount);
  return fitting.length === 0 ? state : { ...state, mount };
}

function narrow(mount: Mount, rules: ToolRules, { listing }: MountState): Mount {
  const names = (listing?.tools ?? []).map(({ name }) => name);
  return {
    ...mount,
    include: names.filter((name) => isIncluded(mount, name) && isIncluded(rules, name)),
    exclude: [],
    defaults: { ...mount.defaults, ...rules.defaults },
    locked: { ...rules.locked, ...mount.locked },
  };
}

/** A folder that does not exist is in no project. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
