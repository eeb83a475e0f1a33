// Changes that a person makes to a tool: another name or summary, hidden from searches, default arguments. They belong to the
// operation, so they survive a new version of its document.
import { LoreError } from '../../../core/error.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import type { Api } from '../openapi/api.ts';
import type { JsonObject } from '../openapi/document.ts';
import { describeInput } from '../openapi/model-schema.ts';
import type { CatalogEntry } from './source.ts';

export interface ToolEdit {
  readonly name?: string;
  readonly summary?: string;
  readonly isHidden?: boolean;
  readonly defaults?: JsonObject;
}

const validName = /^[a-z0-9_]{1,42}$/;

export function applyEdit(entry: CatalogEntry, edit: ToolEdit | undefined): CatalogEntry {
  if (!edit) return entry;
  const { name = entry.name, summary = entry.summary } = edit;
  return { ...entry, name, summary, edit };
}

/** The catalog with one tool changed; without an edit, as its document describes it. `original` is the entry without edits. */
export function editCatalog(
  catalog: readonly CatalogEntry[],
  original: CatalogEntry,
  edit: ToolEdit | undefined,
): CatalogEntry[] {
  const changed = applyEdit(original, edit);
  if (!validName.test(changed.name) || catalog.some(({ name, key }) => name === changed.name && key !== changed.key)) {
    throw new LoreError('invalid_input', `Cannot rename the tool to "${changed.name}": it is taken or not valid`, {
      hint: 'Use up to 42 lower-case letters, digits and underscores, without the name of the source.',
    });
  }
  return catalog.map((entry) => (entry.key === changed.key ? changed : entry));
}

/** The arguments of a tool: those with a default are not required. */
export function describeArguments(api: Api, { name, edit }: CatalogEntry): JsonSchema {
  return withDefaults(describeInput(api, api.operation(name)), edit?.defaults);
}

export function withDefaults(schema: JsonSchema, defaults: JsonObject | undefined): JsonSchema {
  if (!defaults) return schema;
  const { required, properties, ...rest } = schema as { required?: string[]; properties: JsonObject };
  const left = (required ?? []).filter((argument) => !Object.hasOwn(defaults, argument));
  const described = Object.entries(properties).map(([argument, value]) => {
    const isSet = Object.hasOwn(defaults, argument);
    return [argument, isSet ? { ...(value as JsonObject), default: defaults[argument] } : value];
  });
  return { ...rest, properties: Object.fromEntries(described), ...(left.length > 0 && { required: left }) };
}
