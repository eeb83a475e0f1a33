// The results of readers of foreign memories: memories, the things they are about, relations between those, and skipped
// entries with a reason.

import type { MemoryDraft } from '../store-memory.ts';

export interface Thing {
  name: string;
  type: string;
}

export type Piece =
  | { memory: MemoryDraft; about?: Thing }
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
  | 'relation without its entities';

/** As `remember` has it. */
const longestMemory = 100_000;

/** A memory, or why it is none. */
export function offer(draft: MemoryDraft, about?: Thing): Piece {
  if (draft.text.trim() === '') return { left: 'empty' };
  if (draft.text.length > longestMemory) return { left: 'too long' };
  return about ? { memory: draft, about } : { memory: draft };
}
