// Clones of git addresses in a folder that all processes share. A newer version is stored beside the old one and activated in
// one step, so that readers of the old one are not disturbed.
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { withFileLock } from '../../../core/file-lock.ts';
import { createId } from '../../../core/id.ts';
import type { GitAddress } from '../../../graph/git/address.ts';
import type { RepoCall } from '../context.ts';
import { askRemoteHead, cloneTree } from './clone.ts';
import { takeTurn } from './clone-queue.ts';

export interface CloneLimits {
  /** After this time, in ms, the remote is checked for a newer commit. */
  refreshMs?: number;
  /** Timeouts for a clone and for silence, in ms. */
  deadlineMs?: number;
  silenceMs?: number;
  /** Limits on both the fetched data and the checked-out files. */
  maxBytes?: number;
  maxFiles?: number;
}

export interface CloneStore {
  folder: string;
  limits: CloneLimits | undefined;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}

export const defaultLimits: Required<CloneLimits> = {
  refreshMs: 15 * 60_000,
  deadlineMs: 10 * 60_000,
  silenceMs: 60_000,
  maxBytes: 2 * 1024 ** 3,
  maxFiles: 500_000,
};

/** Stored beside the trees and replaced atomically. */
interface State {
  url: string;
  commit: string;
  /** Name of the folder. */
  tree: string;
  previous?: string;
  /** When it was last known to be the newest. */
  checked: number;
}

/** Most clones; the least recently used are deleted. */
const mostKept = 30;

const underWay = new Map<string, Promise<string>>();

/** Returns the folder of the files. Cancelling the call does not stop the clone: the next call finds it. */
export async function getClone(store: CloneStore, address: GitAddress, call: RepoCall): Promise<string> {
  const home = join(store.folder, address.key);
  const { refreshMs } = { ...defaultLimits, ...store.limits };
  const state = await readState(home);
  if (state && !call.fresh && isBetween(Date.now() - refreshMs, state.checked)) {
    await touch(home);
    return join(home, state.tree);
  }
  let work = underWay.get(home);
  if (!work) {
    call.progress?.(0, undefined, `cloning ${address.url}`);
    work = takeTurn(address.url, () => bring(store, address, home)).finally(() => underWay.delete(home));
    // The caller that started it may be gone when it fails.
    work.catch(() => {});
    underWay.set(home, work);
  }
  return untilAborted(work, call.signal);
}

/** Not in the future: the clock may have been set back since. */
function isBetween(from: number, time: number): boolean {
  return time > from && time <= Date.now();
}

async function bring(store: CloneStore, { url }: GitAddress, home: string): Promise<string> {
  const limits = { ...defaultLimits, ...store.limits };
  const deadline = AbortSignal.timeout(limits.deadlineMs);
  const signal = AbortSignal.any([store.stopping, deadline]);
  const begun = Date.now();
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    // The address may predate this rule, and private repositories were cloned with a user's login.
    await Promise.all([store.folder, home].map((folder) => chmod(folder, 0o700).catch(() => {})));
    return await withFileLock(join(home, 'lock'), signal, async () => {
      const known = await readState(home);
      // Another process may have cloned it in the meantime.
      if (known && isBetween(begun - 1, known.checked)) return join(home, known.tree);
      const state = await renew(url, home, known, { ...limits, signal });
      await removeOthers(store.folder, home, state).catch(() => {});
      return join(home, state.tree);
    });
  } catch (error) {
    if (deadline.aborted) {
      const seconds = Math.round(limits.deadlineMs / 1000);
      throw new LoreError('timeout', `Cannot clone "${url}": it took longer than ${seconds} seconds`);
    }
    if (store.stopping.aborted) throw new LoreError('unavailable', `Cannot clone "${url}": the server is stopping`);
    throw error;
  }
}

export type Bounds = Required<CloneLimits> & { signal: AbortSignal };

async function renew(url: string, home: string, known: State | undefined, bounds: Bounds): Promise<State> {
  try {
    const newest = known && (await askRemoteHead(home, url, bounds));
    if (known && known.commit === newest) return await writeState(home, { ...known, checked: Date.now() });
    const tree = `tree-${createId('t').slice(2)}`;
    const commit = await cloneTree(join(home, tree), url, bounds).catch(async (error: unknown) => {
      await rm(join(home, tree), { recursive: true, force: true });
      throw error;
    });
    const previous = known && { previous: known.tree };
    return await writeState(home, { url, commit, tree, ...previous, checked: Date.now() });
  } catch (error) {
    // Without a network, an old clone is better than none.
    if (known && error instanceof LoreError && ['unavailable', 'timeout'].includes(error.word)) return known;
    throw error;
  }
}

async function readState(home: string): Promise<State | undefined> {
  try {
    const state = JSON.parse(await readFile(join(home, 'state.json'), 'utf8')) as State;
    return (await stat(join(home, state.tree))).isDirectory() ? state : undefined;
  } catch {
    return undefined;
  }
}

async function writeState(home: string, state: State): Promise<State> {
  const fresh = join(home, `state-${process.pid}.json`);
  await writeFile(fresh, JSON.stringify(state), { mode: 0o600 });
  await rename(fresh, join(home, 'state.json'));
  return state;
}

async function touch(home: string): Promise<void> {
  const now = new Date();
  await utimes(home, now, now).catch(() => {});
}

/** Deletes trees without readers, and clones beyond the limit. */
async function removeOthers(folder: string, home: string, { tree, previous }: State): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith('tree-') && name !== tree && name !== previous) await remove(join(home, name));
  }
  const homes = (await readdir(folder)).map((name) => join(folder, name));
  const used = await Promise.all(homes.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  const oldest = used.sort((a, b) => b.at - a.at).slice(mostKept);
  for (const { path } of oldest) if (path !== home) await remove(path);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    leave = () => signal.removeEventListener('abort', onAbort);
  });
  return Promise.race([work, aborted]).finally(leave);
}
