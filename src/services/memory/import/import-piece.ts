// What readers of foreign memories give: memories, the things they are about, relations between those, and what was left
// out and why.

import type { Draft } from '../keep.ts';
import type { MemoryKind } from '../kinds.ts';
import { retentionMs } from '../memory.ts';
import { classify } from '../text/classify.ts';

export interface Thing {
  name: string;
  type: string;
}

export type Piece =
  | { memory: Draft; about?: Thing }
  | { thing: Thing }
  | { relation: { from: string; kind: string; to: string } }
  | { left: LeftReason };

type LeftReason =
  | 'empty'
  | 'too long'
  | 'unreadable'
  | 'pointer'
  | 'archived'
  | 'expired'
  | 'git history'
  | 'relation without its ends';

/** As `remember` has it. */
const longestMemory = 100_000;

/** Somebody wrote it down to keep it: it is not taken for something that passes. */
export function lastingKind(text: string): MemoryKind | undefined {
  return retentionMs[classify(text).kind] === undefined ? undefined : 'semantic';
}

/** A memory, or why it is none. */
export function offer(draft: Draft, about?: Thing): Piece {
  if (draft.text.trim() === '') return { left: 'empty' };
  if (draft.text.length > longestMemory) return { left: 'too long' };
  return about ? { memory: draft, about } : { memory: draft };
}
