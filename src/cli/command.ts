// A command is a value: its words, its options and its code. Help and docs are derived from it.
import type { Given } from '../config/load.ts';
import type { SettingKey } from '../config/settings.ts';
import { type ErrorWord, errorWords } from '../core/error.ts';
import type { Output } from './output.ts';

export interface Option {
  type: 'string' | 'boolean';
  help: string;
  /** What stands for the value in help, for strings. */
  value?: string;
}

export interface Command {
  name: string;
  summary: string;
  /** What follows the command's name, before its options. */
  usage?: string;
  /** Settings that this command takes as flags. */
  settings?: readonly SettingKey[];
  options?: Readonly<Record<string, Option>>;
  /** Command lines and what each is for. */
  examples: readonly (readonly [line: string, meaning: string])[];
  /** Returns the exit status; a LoreError thrown becomes one. */
  run(invocation: Invocation): number | Promise<number>;
}

export interface Invocation {
  /** What is neither an option nor the command's name. */
  words: readonly string[];
  options: Readonly<Record<string, Given | undefined>>;
  /** Settings given as flags, by key. */
  flags: Readonly<Record<string, Given>>;
  output: Output;
}

export const exitStatus: Record<ErrorWord, number> = {
  internal: 1,
  invalid_input: 2,
  not_found: 3,
  conflict: 4,
  forbidden: 5,
  limit_exceeded: 6,
  timeout: 7,
  unavailable: 8,
};

/** For the end of every help page. */
export const exitStatusLine = `0 done, ${[...errorWords]
  .sort((a, b) => exitStatus[a] - exitStatus[b])
  .map((word) => `${exitStatus[word]} ${word}`)
  .join(', ')}`;
