// Notes about the state of the index in results, because they may be incomplete.

import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import type { IndexState } from '../../../graph/derived/read.ts';

export const indexNote = s.object({
  state: s.oneOf(['none', 'indexing', 'partial', 'complete']),
  files: s.integer(),
});

export function noteIndex({ state, files }: IndexState): s.Infer<typeof indexNote> {
  return { state, files };
}

/** A line for an answer from an index that is not complete; nothing else needs saying. */
export function describeIndex({ state, files }: s.Infer<typeof indexNote>): string[] {
  if (state === 'complete') return [];
  const far = state === 'indexing' ? 'is being made' : 'is not complete';
  return [`The index ${far} (${files} files so far); results may be incomplete.`];
}

export function notIndexedError(action: string, name: string): LoreError {
  return new LoreError('not_found', `Cannot ${action}: "${name}" is not indexed`, {
    hint: 'Run index_repository first; search_code and read_file work without an index.',
  });
}
