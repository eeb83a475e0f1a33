// A command of the terminal program is a value: its words, its options and its code. Help and docs are derived from it.
import type { Writable } from 'node:stream';
import type { Style } from './text/terminal.ts';

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
  settings?: readonly string[];
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

/** What an option can be on a command line: one value, none, or several. */
export type Given = string | boolean | readonly string[];

export interface Output {
  /** Results as JSON were asked for. */
  readonly json: boolean;
  /** For results too long to be held whole. */
  readonly stream: Writable;
  print(text: string): void;
  /** Written when this returns, so that the process may end at once. */
  printNow(text: string): void;
  printJson(value: unknown): void;
  note(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
  /** For whoever lays out text; its width is read when it is asked for. */
  readonly style: Style;
}
