// Messages between the main thread and a parsing thread.
import type { DerivedFile } from '../../../../graph/derived/derived.ts';
import type { SourceSkip } from './source.ts';

export interface ParseJob {
  number: number;
  project: string;
  root: string;
  model: string;
  /** Bytes. */
  largest: number;
  /** With the hash that is known of each, if any. */
  files: readonly (readonly [path: string, hash: string | undefined])[];
}

export type ParseResult =
  | { path: string; file: DerivedFile }
  /** Its time has changed and its content has not. */
  | { path: string; same: { size: number; modified: number } }
  | { path: string; skip: SourceSkip };

export interface ParseAnswer {
  number: number;
  results: ParseResult[];
}
