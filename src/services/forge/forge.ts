// The forge itself, for the service and for the command `lore forge`: adds, refreshes and removes sources.
import { basename, join } from 'node:path';
import { type CredentialStore, createCredentialStore } from '../../core/credential.ts';
import { LoreError } from '../../core/error.ts';
import { checkSourceName, missingTool, toolNameOf } from '../../core/tool-provider.ts';
import { buildCodeCatalog, describeFunctions, readProgram } from './code/add-code.ts';
import type { CodeDocument } from './code/code-tool.ts';
import type { RepositoryContent } from './code/scan.ts';
import { detectDocument } from './convert/detect.ts';
import { Api } from './openapi/api.ts';
import { type ApiDocument, asObject, asText } from './openapi/document.ts';
import { serverOf } from './openapi/server.ts';
import { buildCatalog } from './source/catalog.ts';
import { applyEdit, editCatalog, type ToolEdit } from './source/edit.ts';
import { readSource } from './source/read.ts';
import type { CatalogEntry, Source } from './source/source.ts';
import { SourceStore } from './source/store.ts';

export interface ForgeOptions {
  /** The folder beside the database. */
  folder: string;
  /** Names that permissions already have: services, their groups, and the sources of other services. */
  reserved(): Promise<readonly string[]>;
}

export interface Forge {
  readonly sources: SourceStore;
  readonly credentials: CredentialStore;
  add(draft: SourceDraft): Promise<AddedSource>;
  /** The commands of a program. Only for a person: it is asked for help, which runs it. */
  addProgram(draft: CodeDraft): Promise<AddedSource>;
  /** The API documents and functions of a folder, which is a real path. */
  addRepository(draft: CodeDraft & { folder: string }): Promise<AddedRepository>;
  /** Reads the document again, from where it was read before. */
  refresh(name: string, options: Pick<SourceDraft, 'isPerson' | 'signal'>): Promise<AddedSource>;
  /** Changes a tool; without an edit, undoes earlier changes. Its name may have changed. */
  edit(name: string, operation: string, edit: ToolEdit | undefined): Promise<CatalogEntry>;
  remove(name: string): Promise<void>;
}

export interface SourceDraft {
  name: string;
  /** A file or an address. */
  from: string;
  base?: string | undefined;
  root?: string | undefined;
  /** A person at a terminal adds it: it may be on this machine or in a private network. */
  isPerson: boolean;
  isRefresh?: boolean;
  repository?: string | undefined;
  project?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface CodeDraft extends Pick<SourceDraft, 'name' | 'from' | 'base' | 'project' | 'signal'> {}

export interface AddedRepository {
  added: AddedSource[];
  /** Documents that cannot be used, with the reason. */
  failed: { path: string; problem: string }[];
  content: RepositoryContent;
  folder: string;
}

export interface AddedSource {
  source: Source;
  isNew: boolean;
  /** Operations that cannot be used, because the document is incomplete. */
  skipped: number;
}

export function openForge({ folder, reserved }: ForgeOptions): Forge {
  const own = join(folder, 'forge');
  const sources = new SourceStore(own);
  const credentials = createCredentialStore(own);

  async function store(draft: SourceDraft, previous: Source | undefined): Promise<AddedSource> {
    const { name, base, root, isPerson, signal } = draft;
    const reach = isPerson || (draft.isRefresh && previous?.reach === 'private') ? 'private' : 'public';
    const { value, address, from } = await readSource(draft.from, { root, reach, signal });
    const { document, format } = detectDocument(value, address, name);
    const known = previous ? await sources.catalog(previous).catch(() => []) : [];
    const api = new Api(document, new Map(known.map((entry) => [entry.key, entry.name])));
    const { entries: described, skipped } = buildCatalog(api);
    const edits = new Map(known.map(({ key, edit }) => [key, edit]));
    const entries = described.map((entry) => applyEdit(entry, edits.get(entry.key)));
    if (entries.length === 0)
      throw new LoreError('invalid_input', `Cannot add "${from}": it has no operation that can be called`);
    const origin = findOrigin(api, document, base);
    if (previous && draft.isRefresh && origin !== previous.origin) {
      // The person agreed to the old server, not to one that the document names now.
      throw new LoreError(
        'conflict',
        `Cannot refresh source "${name}": its server changed from ${previous.origin} to ${origin}`,
        {
          hint: `If that is right, add it again: lore forge add ${name} ${from}`,
        },
      );
    }
    const now = Date.now();
    const source = await sources.save(
      {
        name,
        title: asText(asObject(document.root.info).title).slice(0, 100) || name,
        format,
        from,
        ...(root !== undefined && { root }),
        address,
        ...(base !== undefined && { base }),
        origin,
        reach: draft.isRefresh && previous ? previous.reach : isNamed(origin, address, base) ? reach : 'public',
        operations: entries.length,
        ...(draft.repository !== undefined && { repository: draft.repository }),
        ...(draft.project !== undefined && { project: draft.project }),
        addedAt: previous?.addedAt ?? now,
        updatedAt: now,
      },
      document.root,
      entries,
    );
    return { source, isNew: previous === undefined, skipped };
  }

  async function storeCode(
    draft: CodeDraft,
    code: 'repository' | 'program',
    document: CodeDocument,
  ): Promise<AddedSource> {
    const previous = await sources.find(draft.name);
    const known = previous ? await sources.catalog(previous).catch(() => []) : [];
    const edits = new Map(known.map(({ key, edit }) => [key, edit]));
    const names = new Map(known.map(({ key, name }) => [key, name]));
    const entries = buildCodeCatalog(document, names).map((entry) => applyEdit(entry, edits.get(entry.key)));
    if (entries.length === 0) throw new LoreError('invalid_input', `Cannot add "${draft.from}": it has no tools`);
    const now = Date.now();
    const source = await sources.save(
      {
        name: draft.name,
        title: basename(draft.from.replace(/\.git$/, '')),
        format: code === 'program' ? 'commands' : 'functions',
        from: draft.from,
        address: '',
        origin: code === 'program' ? draft.from : document.folder,
        reach: 'public',
        operations: entries.length,
        code,
        ...(code === 'repository' && { repository: draft.name }),
        ...(draft.project !== undefined && { project: draft.project }),
        addedAt: previous?.addedAt ?? now,
        updatedAt: now,
      },
      document,
      entries,
    );
    return { source, isNew: previous === undefined, skipped: 0 };
  }

  async function checkName(name: string): Promise<void> {
    checkSourceName(name);
    if (!(await reserved()).includes(name)) return;
    throw new LoreError('conflict', `Cannot add source "${name}": this name is taken`, {
      hint: 'Services and the sources of other services have names too: lore allow --list shows them.',
    });
  }

  async function addRepository(draft: CodeDraft & { folder: string }): Promise<AddedRepository> {
    const { name, folder, base, project, signal } = draft;
    await checkName(name);
    const { scanRepository } = await import('./code/scan.ts');
    const content = await scanRepository(folder, signal);
    const added: AddedSource[] = [];
    const failed: AddedRepository['failed'] = [];
    if (content.functions.length > 0)
      added.push(await storeCode(draft, 'repository', describeFunctions(folder, content.functions)));
    const known = (await sources.list()).filter(({ repository }) => repository === name);
    for (const { path } of content.documents) {
      const from = join(folder, path);
      const own = known.find((one) => one.from === from)?.name ?? (await findFree(name, added.length === 0, sources));
      try {
        const more = { base, root: folder, project, signal, repository: name, isPerson: true };
        added.push(await store({ name: own, from, ...more }, await sources.find(own)));
      } catch (error) {
        if (!(error instanceof LoreError)) throw error;
        failed.push({ path, problem: error.message });
      }
    }
    return { added, failed, content, folder };
  }

  return {
    sources,
    credentials,
    async add(draft) {
      await checkName(draft.name);
      return store(draft, await sources.find(draft.name));
    },
    async addProgram(draft) {
      await checkName(draft.name);
      return storeCode(draft, 'program', await readProgram(draft.from, draft.signal));
    },
    addRepository,
    async refresh(name, options) {
      const before = await sources.get(name);
      const { from, base, root, repository, project, code, origin } = before;
      if (code) {
        if (!options.isPerson)
          throw new LoreError('forbidden', `Cannot refresh source "${name}": a person has to review its code`);
        if (code === 'program') return this.addProgram({ name, from, project, ...options });
        const { added } = await addRepository({ name, from, folder: origin, project, ...options });
        return added.find(({ source }) => source.name === name) as AddedSource;
      }
      return store({ name, from, base, root, repository, project, isRefresh: true, ...options }, before);
    },
    async edit(name, operation, edit) {
      const source = await sources.get(name);
      const catalog = await sources.catalog(source);
      const key = catalog.find((entry) => entry.name === operation)?.key;
      if (key === undefined)
        throw missingTool(
          toolNameOf(name, operation),
          catalog.map((entry) => ({ name: toolNameOf(name, entry.name) })),
        );
      const document = source.code ? await sources.code(source) : (await sources.api(source)).document.root;
      const described = source.code
        ? buildCodeCatalog(document as CodeDocument, new Map())
        : buildCatalog(new Api((await sources.api(source)).document)).entries;
      const plain = described.find((entry) => entry.key === key) as CatalogEntry;
      const edited = editCatalog(catalog, plain, edit);
      await sources.save(source, document, edited);
      return edited.find((entry) => entry.key === key) as CatalogEntry;
    },
    async remove(name) {
      await sources.get(name);
      const parts = (await sources.list()).filter(({ repository }) => repository === name);
      for (const part of new Set([name, ...parts.map((one) => one.name)])) {
        await sources.remove(part);
        await credentials.remove(part);
      }
    },
  };
}

/** The name of the repository for its first part, then with a number. */
async function findFree(name: string, isFirst: boolean, sources: SourceStore): Promise<string> {
  if (isFirst && !(await sources.find(name))) return name;
  for (let n = 2; ; n++) {
    const numbered = `${name.slice(0, 12 - String(n).length)}${n}`;
    if (!(await sources.find(numbered))) return numbered;
  }
}

/** A document from the internet cannot choose a server in a private network: the person names it, or it has the document. */
function isNamed(origin: string, address: string, base: string | undefined): boolean {
  return base !== undefined || address === '' || new URL(address).origin === origin;
}

/** The server of the first operation that has a usable one. */
function findOrigin(api: Api, document: ApiDocument, base: string | undefined): string {
  let failure: unknown;
  for (const name of api.names) {
    try {
      return serverOf(document, api.operation(name), { base }).origin;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}
