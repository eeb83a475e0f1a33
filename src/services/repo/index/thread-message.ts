// What passes between the thread that answers callers and the one that indexes.
import type { Indexed, IndexInput } from './indexing.ts';

export interface ThreadStart {
  /** The database's. */
  file: string;
  project: string;
  model: string;
  now: number;
  input: IndexInput;
}

export type ToThread = 'stop';

export type FromThread =
  | { done: number; total: number | undefined; message: string | undefined }
  | { indexed: Indexed }
  | { problem: { word: string; message: string } };
