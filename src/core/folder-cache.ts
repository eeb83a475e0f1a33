// What was read from a folder whose files are only replaced by renames: it is current until the folder's time of change differs, in
// this process or another. Asking for that time costs less than opening a file, and is done once in a turn of the event loop.
import { statSync } from 'node:fs';

/** Times of files are this coarse: a change right after another may not be visible. */
const settledMs = 50;

export class FolderCache<T> {
  readonly #folder: string;
  readonly #read: () => T;
  readonly #empty: T;
  #known: { stamp: string; value: T } | undefined;
  #isFresh = false;

  /** `empty` is for a folder that does not exist. */
  constructor(folder: string, read: () => T, empty: T) {
    this.#folder = folder;
    this.#read = read;
    this.#empty = empty;
  }

  get(): T {
    if (this.#isFresh && this.#known) return this.#known.value;
    const found = statSync(this.#folder, { throwIfNoEntry: false });
    if (!found) return this.#empty;
    const stamp = `${found.ino} ${found.mtimeMs}`;
    if (this.#known?.stamp === stamp) {
      this.#isFresh = true;
      setImmediate(() => {
        this.#isFresh = false;
      });
      return this.#known.value;
    }
    this.#isFresh = false;
    const value = this.#read();
    this.#known = Date.now() - found.mtimeMs > settledMs ? { stamp, value } : undefined;
    return value;
  }

  /** This process has changed the folder. */
  clear(): void {
    this.#known = undefined;
  }
}
