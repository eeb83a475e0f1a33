// Paged lists as JSON text, cached for each revision and kind of caller until the registry changes. A cursor is the last name
// seen, so that a list that changes between two pages neither fails nor repeats entries.
import type { Caller } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { pageType } from '../core/page.ts';
import type { Registry } from '../core/registry/registry.ts';
import { projectPrompt, projectResource, projectTemplate, projectTool } from './project.ts';
import type { Revision } from './revision.ts';

export type List = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

export type ListEntry = { key: string; json: unknown };

/** Everything that a list depends on besides the registry. */
export interface Reader {
  readonly revision: Revision;
  readonly caller: Caller;
  /** With output schemas. */
  readonly structured: boolean;
  /** The client shows pages. */
  readonly pages?: boolean | undefined;
  /** The client's name; without one, every tool is listed. */
  readonly clientName?: string | undefined;
}

/** Characters of cached pages; cursors come from clients, so there can be any number of pages. */
const maxPrepared = 8_000_000;
const maxCursor = 2_048;

export class Lists {
  readonly #registry: Registry;
  readonly #pageSize: number;
  readonly #prepared = new Map<string, string>();
  #length = 0;
  #generation = -1;

  constructor(registry: Registry, pageSize: number) {
    this.#registry = registry;
    this.#pageSize = pageSize;
  }

  /** The members of a list result, without braces. `more` is visible to this caller only. */
  page(list: List, given: Reader, cursor: unknown, more: readonly ListEntry[] = []): string {
    const { revision, structured, pages, clientName } = given;
    const reader: Reader = { revision, structured, pages, clientName, caller: withStepUp(given.caller) };
    if (this.#generation !== this.#registry.generation || this.#length > maxPrepared) {
      this.#prepared.clear();
      this.#length = 0;
      this.#generation = this.#registry.generation;
    }
    if (more.length > 0) return this.write(list, [...this.#entries(list, reader), ...more], cursor);
    const after = cursor === undefined ? '' : readCursor(cursor);
    const profile = this.#profileOf(reader);
    const folders = list === 'tools' ? this.#registry.listedFolders(reader.caller).join('\n') : '';
    const key = `${list} ${reader.revision} ${reader.caller.scopes} ${reader.structured} ${reader.pages === true} ${JSON.stringify(profile)} ${after} ${folders}`;
    let members = this.#prepared.get(key);
    if (members === undefined) {
      members = this.write(list, this.#entries(list, reader), cursor);
      this.#prepared.set(key, members);
      this.#length += key.length + members.length;
    }
    return members;
  }

  /** A page of entries, in the order of their keys. */
  write(name: string, entries: readonly ListEntry[], cursor: unknown): string {
    const after = cursor === undefined ? '' : readCursor(cursor);
    const rest = entries.filter(({ key }) => key > after).sort((a, b) => (a.key < b.key ? -1 : 1));
    const page = rest.slice(0, this.#pageSize);
    const last = rest.length > page.length ? page.at(-1) : undefined;
    const next = last === undefined ? '' : `,"nextCursor":${JSON.stringify(writeCursor(last.key))}`;
    return `"${name}":${JSON.stringify(page.map(({ json }) => json))}${next}`;
  }

  /** Scripts that use the plain routes have no name, and see everything. */
  #profileOf({ clientName }: Reader): string | undefined {
    return clientName === undefined ? undefined : this.#registry.profile(clientName);
  }

  #entries(list: List, reader: Reader): ListEntry[] {
    const { revision, caller, structured, pages } = reader;
    switch (list) {
      case 'tools':
        return this.#registry
          .listedTools(caller, this.#profileOf(reader))
          .map((tool) => ({ key: tool.name, json: projectTool(tool, revision, structured, pages) }));
      case 'resources':
        return this.#registry
          .listed('resources', caller)
          .filter(({ mimeType }) => pages || mimeType !== pageType)
          .map((entry) => ({ key: entry.uri, json: projectResource(entry, revision) }));
      case 'resourceTemplates':
        return this.#registry
          .listed('templates', caller)
          .map((entry) => ({ key: entry.uriTemplate, json: projectTemplate(entry, revision) }));
      case 'prompts':
        return this.#registry
          .listed('prompts', caller)
          .map((entry) => ({ key: entry.name, json: projectPrompt(entry, revision) }));
    }
  }
}

/** A tool that changes data is listed to a caller whose token can be exchanged for one that allows it. */
function withStepUp(caller: Caller): Caller {
  const { identity, scopes } = caller;
  return identity && !scopes.includes('write') ? { ...caller, scopes: [...scopes, 'write'] } : caller;
}

function writeCursor(key: string): string {
  return Buffer.from(`after ${key}`).toString('base64url');
}

function readCursor(cursor: unknown): string {
  const isText = typeof cursor === 'string' && cursor.length <= maxCursor;
  const plain = isText ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!plain.startsWith('after ')) throw new LoreError('invalid_input', 'Cannot list: the cursor is not valid');
  return plain.slice('after '.length);
}
