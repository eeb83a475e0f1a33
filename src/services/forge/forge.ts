// The forge itself, for the service and for the command `lore forge`: adds, refreshes and removes sources.
import { join } from 'node:path';
import { type CredentialStore, createCredentialStore } from '../../core/credential.ts';
import { LoreError } from '../../core/error.ts';
import { checkSourceName } from '../../core/tool-provider.ts';
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
  signal?: AbortSignal | undefined;
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
        addedAt: previous?.addedAt ?? now,
        updatedAt: now,
      },
      document.root,
      entries,
    );
    return { source, isNew: previous === undefined, skipped };
  }

  return {
    sources,
    credentials,
    async add(draft) {
      checkSourceName(draft.name);
      if ((await reserved()).includes(draft.name)) {
        throw new LoreError('conflict', `Cannot add source "${draft.name}": this name is taken`, {
          hint: 'Services and the sources of other services have names too: lore allow --list shows them.',
        });
      }
      return store(draft, await sources.find(draft.name));
    },
    async refresh(name, options) {
      const before = await sources.get(name);
      const { from, base, root } = before;
      return store({ name, from, base, root, isRefresh: true, ...options }, before);
    },
    async edit(name, operation, edit) {
      const source = await sources.get(name);
      const catalog = await sources.catalog(source);
      const api = await sources.api(source);
      const key = catalog.find((entry) => entry.name === operation)?.key;
      // Reports similar names if there is none.
      if (key === undefined) api.operation(operation);
      const plain = buildCatalog(new Api(api.document)).entries.find((entry) => entry.key === key) as CatalogEntry;
      const edited = editCatalog(catalog, plain, edit);
      await sources.save(source, api.document.root, edited);
      return edited.find((entry) => entry.key === key) as CatalogEntry;
    },
    async remove(name) {
      await sources.get(name);
      await sources.remove(name);
      await credentials.remove(name);
    },
  };
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
