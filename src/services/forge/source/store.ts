// The sources of the user: files in one folder beside the database. Each change is one atomic rename, so that any number of
// processes can read meanwhile; documents are never changed, only replaced by others.
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { FolderCache } from '../../../core/folder-cache.ts';
import { createId } from '../../../core/id.ts';
import { didYouMean } from '../../../core/text/similar-names.ts';
import type { CodeDocument } from '../code/code-tool.ts';
import { Api } from '../openapi/api.ts';
import { openDocument } from '../openapi/document.ts';
import type { CatalogEntry, Source } from './source.ts';

const ending = '.source.json';
/** A large document takes a hundred megabytes. */
const mostOpen = { catalog: 100, document: 2 };

export class SourceStore {
  readonly folder: string;
  readonly #catalogs = new Map<string, Promise<readonly CatalogEntry[]>>();
  readonly #apis = new Map<string, Promise<Api>>();
  readonly #codes = new Map<string, Promise<CodeDocument>>();
  readonly #listed: FolderCache<Promise<readonly Source[]>>;
  readonly #files: FolderCache<readonly string[]>;
  /** By this process. */
  readonly #proved = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
    this.#listed = new FolderCache(folder, () => this.#readAll(), Promise.resolve([]));
    this.#files = new FolderCache<readonly string[]>(folder, () => readdirSync(folder), []);
  }

  /** By name. */
  async list(): Promise<readonly Source[]> {
    return this.#listed.get();
  }

  #forget(): void {
    this.#listed.clear();
    this.#files.clear();
  }

  async #readAll(): Promise<Source[]> {
    const files = await readdir(this.folder).catch(() => []);
    const names = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
    const found = await Promise.all(names.sort().map((name) => this.find(name)));
    return found.filter((source) => source !== undefined);
  }

  /** Without a promise: every call of a tool asks for its source, and most sources are of other providers. */
  has(name: string): boolean {
    return this.#files.get().includes(`${name}${ending}`);
  }

  async find(name: string): Promise<Source | undefined> {
    if (!this.has(name)) return undefined;
    try {
      return JSON.parse(await readFile(this.#path(`${name}${ending}`), 'utf8')) as Source;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw damaged(name);
    }
  }

  async get(name: string): Promise<Source> {
    const source = await this.find(name);
    if (source) return source;
    const names = (await this.list()).map((one) => one.name);
    throw new LoreError('not_found', `Cannot use source "${name}": there is none of this name`, {
      hint:
        didYouMean(name, names) ??
        (names.length > 0 ? `Sources: ${names.join(', ')}.` : 'Add one: lore forge add <name> <file or URL>'),
    });
  }

  catalog(source: Source): Promise<readonly CatalogEntry[]> {
    return this.#load(source, this.#catalogs, 'catalog', (content) => content as CatalogEntry[]);
  }

  async api(source: Source): Promise<Api> {
    if (source.code)
      throw new LoreError('invalid_input', `Cannot use source "${source.name}" as an API: its tools are code`);
    const catalog = await this.catalog(source);
    const names = new Map(catalog.map(({ key, name }) => [key, name]));
    return this.#load(
      source,
      this.#apis,
      'document',
      (content) => new Api(openDocument(content, source.address), names),
    );
  }

  async code(source: Source): Promise<CodeDocument> {
    return this.#load(source, this.#codes, 'document', (content) => content as CodeDocument);
  }

  /** Parsed once in this process. */
  #load<T>(
    source: Source,
    cache: Map<string, Promise<T>>,
    kind: 'catalog' | 'document',
    open: (content: unknown) => T,
  ): Promise<T> {
    const file = `${source.name}.${source.document}.${kind}.json`;
    const known = cache.get(file);
    if (known) return known;
    const loading = readFile(this.#path(file), 'utf8').then((text) => open(JSON.parse(text)));
    cache.set(file, loading);
    if (cache.size > mostOpen[kind]) cache.delete(cache.keys().next().value as string);
    return loading.catch(async () => {
      cache.delete(file);
      const current = await this.get(source.name);
      // Another process has just replaced it.
      if (current.document !== source.document) return this.#load(current, cache, kind, open);
      throw damaged(source.name);
    });
  }

  /** Replaces a source of the same name. */
  async save(draft: Omit<Source, 'document'>, document: unknown, catalog: readonly CatalogEntry[]): Promise<Source> {
    const content = JSON.stringify(document);
    const entries = JSON.stringify(catalog);
    const source: Source = { ...draft, document: hashHex(content + entries).slice(0, 16) };
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.#write(`${source.name}.${source.document}.document.json`, content);
    await this.#write(`${source.name}.${source.document}.catalog.json`, entries);
    await this.#write(`${source.name}${ending}`, JSON.stringify(source, null, 2));
    await this.#clean(source.name, source.document);
    return source;
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(`${name}${ending}`), { force: true });
    await rm(this.#path(`${name}.proof`), { force: true });
    this.#forget();
    this.#proved.delete(name);
    await this.#clean(name);
  }

  /** Records that a real call was answered. An answer does not fail because its folder cannot be written. */
  async prove(name: string): Promise<void> {
    if (this.#proved.has(name)) return;
    this.#proved.add(name);
    await this.#write(`${name}.proof`, new Date().toISOString()).catch(() => {});
  }

  /** Those for which a real call was answered. */
  async proved(): Promise<Set<string>> {
    const files = this.#files.get();
    const stored = files.filter((file) => file.endsWith('.proof')).map((file) => file.slice(0, -'.proof'.length));
    return new Set([...stored, ...this.#proved]);
  }

  /** Deletes documents that are no longer used. */
  async #clean(name: string, used?: string): Promise<void> {
    const files = await readdir(this.folder).catch(() => []);
    const outdated = files.filter((file) => {
      const [owner, hash, kind] = file.split('.');
      return owner === name && (kind === 'document' || kind === 'catalog') && hash !== used;
    });
    await Promise.all(outdated.map((file) => rm(this.#path(file), { force: true })));
  }

  async #write(name: string, content: string): Promise<void> {
    const draft = this.#path(`${name}.${createId('draft')}`);
    try {
      await writeFile(draft, content, { mode: 0o600, flush: true });
      await rename(draft, this.#path(name));
      this.#forget();
    } catch (error) {
      await rm(draft, { force: true });
      const code = (error as NodeJS.ErrnoException).code;
      throw new LoreError('unavailable', `Cannot store "${name}": ${code}`, { cause: error });
    }
  }

  #path(file: string): string {
    return join(this.folder, file);
  }
}

function damaged(name: string): LoreError {
  return new LoreError('unavailable', `Cannot read source "${name}": its files are damaged`, {
    hint: `Add it again: lore forge add ${name} <file or URL>`,
  });
}
