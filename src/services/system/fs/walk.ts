// A walk through folders in a fixed order, by the names on the way: a search can go on later where it stopped. It lets
// others have their turn, and ends when it is told to.
import { type Dirent, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HeldFolder, holdFolder } from './folder.ts';

interface Visit {
  /** The folder's real path, and its way from the top as names. */
  folder: string;
  way: readonly string[];
  held: HeldFolder;
  entries: readonly Dirent[];
}

/** Others wait no longer than this. */
export const turnMs = 8;
/** A folder with a longer list of names is read beside everything else. */
const longList = 1 << 18;

/** Every folder with its sorted entries; those whose whole contents lie before `after` are left out. */
export async function* walkFolders(
  top: string,
  after: readonly string[],
  { skip, signal }: { skip(path: string, name: string): boolean; signal: AbortSignal },
): AsyncGenerator<Visit, void, void> {
  const open: string[][] = [[]];
  let turn = performance.now();
  for (let way = open.pop(); way; way = open.pop()) {
    if (performance.now() - turn > turnMs) {
      await nextTurn();
      signal.throwIfAborted();
      turn = performance.now();
    }
    const folder = join(top, ...way);
    const held = holdFolder(folder);
    if (!held) continue;
    try {
      const entries = await listEntries(held);
      if (!held.isStill()) continue;
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      yield { folder, way, held, entries };
      for (let at = entries.length - 1; at >= 0; at--) {
        const entry = entries[at] as Dirent;
        if (!entry.isDirectory() || skip(join(folder, entry.name), entry.name)) continue;
        const next = [...way, entry.name];
        if (!isAllBefore(next, after)) open.push(next);
      }
    } finally {
      held.close();
    }
  }
}

function listEntries(held: HeldFolder): Dirent[] | Promise<Dirent[]> {
  try {
    if (held.size > longList) return readdir(held.path, { withFileTypes: true }).catch(() => []);
    return readdirSync(held.path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether everything below a folder comes before the way. */
function isAllBefore(way: readonly string[], after: readonly string[]): boolean {
  for (const [at, name] of way.entries()) {
    const other = after[at];
    if (other === undefined || name > other) return false;
    if (name < other) return true;
  }
  return false;
}
