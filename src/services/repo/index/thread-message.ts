// Messages between the main thread and the indexing thread.
import type { Indexed, IndexInput } from './indexing.ts';

export interface ThreadStart {
  /** The database's. */
  file: string;
  project: string;
  model: string;
  now: number;
  input: IndexInput;
}

export type ToThread = ThreadStart | 'stop';

export type FromThread =
  | { done: number; total: number | undefined; message: string | undefined }
  | { indexed: Indexed }
  | { problem: { word: string; message: string } }
  /** It has closed the database, and waits for the next start. */
  | 'ended';
