// What was read from a folder whose files are only replaced by renames: it is current until the folder's time of change differs, in
// this process or another. Asking for that time costs less than opening a file; calls that follow closely share one answer.
import { statSync } from 'node:fs';

/** Times of files are this coarse: a change right after another may not be visible. */
const settledMs = 50;
/** A change by another process may be noticed this much later. */
const freshMs = 2;

export class FolderCache<T> {
  readonly #folder: string;
  readonly #read: () => T;
  readonly #empty: T;
  #known: { stamp: string; value: T } | undefined;
  #freshUntil = 0;

  /** `empty` is for a folder that does not exist. */
  constructor(folder: string, read: () => T, empty: T) {
    this.#folder = folder;
    this.#read = read;
    this.#empty = empty;
  }

  get(): T {
    const now = performance.now();
    if (this.#known && now < this.#freshUntil) return this.#known.value;
    const found = statSync(this.#folder, { throwIfNoEntry: false });
    const stamp = found ? `${found.ino} ${found.mtimeMs}` : '';
    if (this.#known?.stamp === stamp) {
      this.#freshUntil = now + freshMs;
      return this.#known.value;
    }
    const value = found ? this.#read() : this.#empty;
    const isSettled = !found || Date.now() - found.mtimeMs > settledMs;
    this.#known = isSettled ? { stamp, value } : undefined;
    return value;
  }

  /** This process has changed the folder. */
  clear(): void {
    this.#known = undefined;
  }
}
