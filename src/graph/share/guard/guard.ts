// How the files of a log are protected when they are sent, and which of those that arrive count. Whoever can write to the remote can
// put anything there: a team decides by signatures, the machines of one user by a key that only they have.
import type { Batch, OpFilter } from '../batch.ts';
import type { SharedOp } from '../op.ts';

export interface BatchGuard {
  /** Of the rules: if it changes, files count that did not before, or no longer. */
  id: string;
  /** What is wrong with the rules. */
  problems: readonly { path: string; problem: string }[];
  /** How a file of ours is protected now. */
  mark(): string;
  /** Whether only this user can have protected a file so. */
  isOurs(mark: string): boolean;
  /** Whether a file of ours with operations of these times must be replaced, and can be. */
  isOutdated(mark: string, times: readonly string[]): boolean;
  /**
   * Who made an operation of that time, by the keys that signed it: empty if nobody says, undefined if it does not count.
   */
  judge(keys: readonly string[], at: string): string | undefined;
  /** Why nothing can be sent. */
  refusal(): SendRefusal | undefined;
  seal(batch: Batch): Promise<string>;
  open(path: string, text: string): OpenedBatch;
  /** The same text if the file has none of these operations; undefined if it has nothing else. */
  filter(path: string, text: string, isKept: OpFilter): string | undefined;
}

export interface SendRefusal {
  reason: string;
  /** What to do. */
  hint?: string | undefined;
}

export interface OpenedBatch {
  /** The operations that count. */
  ops: SharedOp[];
  mark: string;
  problem?: string;
  /** It cannot be read yet. */
  isLocked?: boolean;
}
