// Reads one entry by its id, in full, for the commands show, edit and purge. It uses the registry, like a client.
import type { App } from '../app.ts';
import { createPlainCall, localCaller } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';

export interface StoredEntry {
  id: string;
  kind: string;
  text: string;
  hash: string;
}

/** The most that one call returns. */
const budgetTokens = 100_000;

export async function readEntry(
  { registry }: App,
  id: string,
  options: { project?: unknown; explain?: boolean } = {},
): Promise<StoredEntry> {
  let entry: StoredEntry | undefined;
  for (let cursor: unknown; ; ) {
    const args = { query: id, budget_tokens: budgetTokens, cursor, ...options };
    const { structured } = await registry.call('recall', args, createPlainCall(localCaller));
    const page =
      isObject(structured) && isObject(structured.whole) ? (structured.whole as unknown as StoredEntry) : undefined;
    if (!page) throw new LoreError('not_found', `Cannot find "${id}": there is no such id in this project`);
    entry = entry ? { ...entry, text: entry.text + page.text } : page;
    cursor = (structured as { next_cursor?: string }).next_cursor;
    if (cursor === undefined) return entry;
  }
}
