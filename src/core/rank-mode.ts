// How thoroughly search results are ranked: by the fast stage alone, or also by the deep one, which reads the question and each text
// together. `auto` uses the deep stage in a server that has loaded it.
import { isCount } from './cursor.ts';
import * as s from './schema.ts';

export const rankModes = ['fast', 'deep', 'auto'] as const;
export type RankMode = (typeof rankModes)[number];

/** The mode of the first page, as a cursor has it: further pages must have the same order. */
export function readRank(value: unknown): RankMode {
  return value === 'deep' ? 'deep' : 'fast';
}

/** The position of a page: the number of results before it, and the mode. */
export function checkRanked(offset: unknown, rank: unknown): { offset: number; rank: RankMode } | undefined {
  return isCount(offset) ? { offset, rank: readRank(rank) } : undefined;
}

/** For tools that search; without it, the setting applies. */
export const rankArgument = s.optional(s.oneOf(rankModes));
