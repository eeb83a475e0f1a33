// Resolves an id or its prefix, within the projects that the caller may read. Ids are long and people type them, so every tool
// with an id argument uses this.
import { LoreError } from '../core/error.ts';
import * as s from '../core/schema.ts';
import { quoteAsData } from '../core/text/fence.ts';
import { hasPrefix } from '../store/prefix.ts';
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** An argument that takes an id. */
export const idArgument = s.string({ min: 1, max: 100, description: 'Id or unique prefix' });

/** A prefix has at least four characters after the kind. */
const prefixForm = /^[a-z]{1,8}_[0-9a-z]{4,90}$/;
const maxCandidates = 5;

/** Whether a text may be an id or a prefix of one. */
export function looksLikeId(text: string): boolean {
  return prefixForm.test(text);
}

/** Tables with ids, and the text that describes a row. */
const named = {
  node: { table: sql`node`, words: sql`case when title <> '' then title else text end` },
  operation: { table: sql`operation`, words: sql`kind` },
} as const;

/** The full id, or undefined. Refuses an ambiguous prefix. */
export async function resolveId(
  store: Store,
  what: keyof typeof named,
  projects: readonly string[],
  given: string,
): Promise<string | undefined> {
  const { table, words } = named[what];
  // Not by the index on projects, which has far more rows per project than there are ids with a common prefix.
  const select = sql`select id, substr(${words}, 1, 60) as words from ${table}
    where coalesce(project, '') in ${list(projects)}`;
  if (await store.one(sql`${select} and id = ${given}`)) return given;
  if (!looksLikeId(given)) return undefined;
  const found = await store.all<{ id: string; words: string }>(
    sql`${select} and ${hasPrefix(store, sql`id`, given)} order by id limit ${maxCandidates + 1}`,
  );
  if (found.length > 1) throw ambiguousError(given, found);
  return found[0]?.id;
}

function ambiguousError(given: string, found: readonly { id: string; words: string }[]): LoreError {
  const shown = found.slice(0, maxCandidates).map(({ id, words }) => `${id} (${quoteAsData(words)})`);
  const more = found.length > maxCandidates ? ', and more' : '';
  return new LoreError('invalid_input', `Cannot use id "${given}": several ids begin with it`, {
    hint: `Type more of it: ${shown.join(', ')}${more}`,
    details: { path: 'arguments', expected: 'the beginning of one id', received: given },
  });
}

/** Changes are reported under the whole id of a node, so only that can be subscribed to. */
export function requireWholeId(uri: string, given: string, { id }: { id: string }): void {
  if (given === id) return;
  throw new LoreError('invalid_input', `Cannot subscribe to "${uri}": it is not the whole id`, {
    hint: `Subscribe to ${uri.slice(0, uri.lastIndexOf('/') + 1)}${id}.`,
  });
}
