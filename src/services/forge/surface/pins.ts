// Pinned tools: one file each, with everything that a list needs, so that listing opens no document. Any process can add or
// remove one; the others see that the folder changed.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { createId } from '../../../core/id.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import type { Effect } from '../../../core/tool.ts';

export interface Pin {
  readonly name: string;
  readonly source: string;
  readonly effect: Effect;
  readonly description: string;
  readonly arguments: JsonSchema;
  /** Of its source: it is listed only for callers in it. */
  readonly folder?: string;
}

const ending = '.pin.json';
const everyMs = 500;
/** Enough to compare. */
const mostUses = 10_000;

export class PinStore {
  readonly #folder: string;
  readonly #uses: string;
  #known: { stamp: string; pins: readonly Pin[] } | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, 'pins');
    this.#uses = join(folder, 'uses');
  }

  /** The most used first. */
  list(): readonly Pin[] {
    const stamp = this.#stamp();
    if (this.#known?.stamp !== stamp) this.#known = { stamp, pins: stamp === '' ? [] : this.#read() };
    return this.#known.pins;
  }

  has(name: string): boolean {
    return this.#known?.pins.some((pin) => pin.name === name) ?? false;
  }

  async put(pin: Pin): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, `${pin.name}${ending}`);
    const draft = `${file}.${createId('draft')}`;
    try {
      await writeFile(draft, JSON.stringify(pin), { mode: 0o600, flush: true });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      const { code } = error as NodeJS.ErrnoException;
      throw new LoreError('unavailable', `Cannot pin "${pin.name}": ${code}`, { cause: error });
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, `${name}${ending}`), { force: true });
    await rm(join(this.#uses, name), { force: true });
  }

  /** One byte for each use: appending needs no lock between processes. */
  async count(name: string): Promise<void> {
    if (!this.has(name) || this.#usesOf(name) >= mostUses) return;
    try {
      await mkdir(this.#uses, { recursive: true, mode: 0o700 });
      await appendFile(join(this.#uses, name), '.', { mode: 0o600 });
    } catch {
      // Only the order of the list depends on it.
    }
  }

  /** Calls the listener after every change, by this process or another, until the returned function is called. */
  watch(listener: () => void): () => void {
    let seen = this.#stamp();
    const timer = setInterval(() => {
      const stamp = this.#stamp();
      if (stamp === seen) return;
      seen = stamp;
      listener();
    }, everyMs).unref();
    return () => clearInterval(timer);
  }

  #read(): Pin[] {
    const files = readdirSync(this.#folder).filter((file) => file.endsWith(ending));
    const pins = files.flatMap((file) => {
      try {
        return JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as Pin;
      } catch {
        // Just removed by another process.
        return [];
      }
    });
    const uses = new Map(pins.map(({ name }) => [name, this.#usesOf(name)]));
    const rank = (name: string) => uses.get(name) ?? 0;
    return pins.sort((a, b) => rank(b.name) - rank(a.name) || (a.name < b.name ? -1 : 1));
  }

  #usesOf(name: string): number {
    return statSync(join(this.#uses, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Empty without pins. A file that is added, replaced or removed changes its folder. */
  #stamp(): string {
    const found = statSync(this.#folder, { throwIfNoEntry: false, bigint: true });
    return found ? `${found.ino} ${found.mtimeNs}` : '';
  }
}
