// The mounts of the user: files in one folder beside the database. Each change is one atomic rename in this folder, whose time of
// change therefore tells every process whether what it has read is still current.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { FolderCache } from '../../../core/folder-cache.ts';
import { createId } from '../../../core/id.ts';
import { isObject } from '../../../core/schema.ts';
import { didYouMean } from '../../../core/text/similar-names.ts';
import type { Lesson } from '../learn/lessons.ts';
import type { Approvals } from '../trust/approvals.ts';
import type { Mount, ServerListing, ToolRules } from './mount.ts';

const endings = {
  mount: '.mount.json',
  listing: '.tools.json',
  approvals: '.approvals.json',
  lessons: '.lessons.json',
} as const;

/** Everything about one mount, as it was read together. The same object until one of its files changes. */
export interface MountState {
  readonly mount: Mount;
  /** Undefined until the server was asked. */
  readonly listing: ServerListing | undefined;
  /** Undefined if they cannot be read. */
  readonly approvals: Approvals | undefined;
  readonly lessons: readonly Lesson[] | undefined;
  /** The profiles that apply to a caller, besides the rules of the mount. */
  readonly narrowed?: readonly ToolRules[];
}

export class MountStore {
  readonly folder: string;
  readonly runPath: string;
  readonly #cache: FolderCache<readonly MountState[]>;
  #states: readonly MountState[] = [];

  constructor(folder: string) {
    this.folder = folder;
    this.runPath = join(folder, 'run');
    this.#cache = new FolderCache(folder, () => this.#read(), []);
  }

  /** By name. Read only if something has changed: calls must not wait for files. */
  list(): readonly MountState[] {
    return this.#cache.get();
  }

  find(name: string): MountState | undefined {
    return this.list().find(({ mount }) => mount.name === name);
  }

  get(name: string): MountState {
    const found = this.find(name);
    if (found) return found;
    const names = this.list().map(({ mount }) => mount.name);
    throw new LoreError('not_found', `Cannot use mount "${name}": there is none of this name`, {
      hint:
        didYouMean(name, names) ??
        (names.length > 0 ? `Mounts: ${names.join(', ')}.` : 'Add one: lore mount <name> -- <command>'),
    });
  }

  async save(name: string, state: Partial<MountState>): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // The mount last: a process that sees it sees the rest.
    for (const part of ['approvals', 'lessons', 'listing', 'mount'] as const)
      if (state[part] !== undefined)
        await this.#write(
          `${name}${endings[part]}`,
          JSON.stringify(part === 'lessons' ? { lessons: state.lessons } : state[part]),
        );
  }

  async remove(name: string): Promise<void> {
    for (const part of ['mount', 'listing', 'approvals', 'lessons'] as const)
      await rm(join(this.folder, `${name}${endings[part]}`), { force: true });
    this.#cache.clear();
  }

  /** A folder for sockets, records of processes and logs, whose changes do not count as changes of mounts. */
  runFolder(): string {
    mkdirSync(this.runPath, { recursive: true, mode: 0o700 });
    return this.runPath;
  }

  #read(): readonly MountState[] {
    const files = readdirSync(this.folder).filter((file) => file.endsWith(endings.mount));
    const earlier = new Map(this.#states.map((state) => [state.mount.name, state]));
    this.#states = files.sort().flatMap((file) => {
      const name = file.slice(0, -endings.mount.length);
      const mount = this.#load<Mount>(file);
      if (!mount) return [];
      const read = {
        mount,
        listing: this.#load<ServerListing>(`${name}${endings.listing}`),
        approvals: this.#load<Approvals>(`${name}${endings.approvals}`),
        lessons: this.#load<{ lessons: Lesson[] }>(`${name}${endings.lessons}`)?.lessons,
      };
      const known = earlier.get(name);
      return known && JSON.stringify(known) === JSON.stringify(read) ? known : read;
    });
    return this.#states;
  }

  /** Undefined if it does not exist, or is damaged: what depends on it is refused then. */
  #load<T>(file: string): T | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(join(this.folder, file), 'utf8'));
      return isObject(value) ? (value as T) : undefined;
    } catch {
      return undefined;
    }
  }

  async #write(file: string, content: string): Promise<void> {
    const draft = join(this.folder, `${file}.${createId('draft')}`);
    try {
      await writeFile(draft, content, { mode: 0o600, flush: true });
      await rename(draft, join(this.folder, file));
      this.#cache.clear();
    } catch (error) {
      await rm(draft, { force: true });
      const code = (error as NodeJS.ErrnoException).code;
      throw new LoreError('unavailable', `Cannot store "${file}": ${code}`, { cause: error });
    }
  }
}
