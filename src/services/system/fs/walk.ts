// Walks folders in a fixed order, so that a search can continue where it stopped. It yields to the event loop and can be
// cancelled.
import { join } from 'node:path';
import { createPause, type HeldFolder, holdFolder, kindOf, listHeld, nameOf } from '../../../files/folder.ts';

interface Visit {
  held: HeldFolder;
  /** Its way from the top as names. */
  way: readonly string[];
  /** See `nameOf` and `kindOf`. */
  entries: readonly string[];
}

/** Others wait no longer than this. */
export const turnMs = 8;
const mostEntries = 2_000_000;

/** Every folder with its sorted entries; folders that are completely before `after` are skipped. */
export async function* walkFolders(
  top: string,
  after: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Visit, void, void> {
  const open: string[][] = [[]];
  const pause = createPause(turnMs, signal);
  for (let way = open.pop(); way; way = open.pop()) {
    const turn = pause();
    if (turn) await turn;
    const folder = join(top, ...way);
    const held = holdFolder(folder);
    if (typeof held === 'string') continue;
    try {
      const { entries } = await listHeld(held, mostEntries, pause).catch(() => ({ entries: [] }));
      signal.throwIfAborted();
      if (!held.isStill()) continue;
      yield { way, held, entries };
      for (let at = entries.length - 1; at >= 0; at--) {
        const entry = entries[at] as string;
        const name = nameOf(entry);
        if (kindOf(entry) !== 'folder' || name === '.git') continue;
        const next = [...way, name];
        if (!isAllBefore(next, after)) open.push(next);
      }
    } finally {
      held.close();
    }
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
