// A command is a value: its name, its options and its code. Help and docs are derived from it.
import type { Writable } from 'node:stream';
import type { Style } from './text/terminal.ts';

export interface Option {
  type: 'string' | 'boolean';
  help: string;
  /** Placeholder of the value in the help. */
  value?: string;
  /** The values it takes, if they are known. */
  choices?: readonly string[];
  /** It can be given several times; its value is a list. */
  multiple?: boolean;
  /** Accepted, but not listed in the help. */
  hidden?: boolean;
}

export interface Command {
  name: string;
  summary: string;
  /** Arguments as in the help: `<file>`, `[file]`, `<file…>`, `list | show <id>`. They are checked before the command runs. */
  usage?: string;
  /** Its words are text, which it checks itself. */
  takesText?: boolean;
  /** Settings that this command accepts as flags. */
  settings?: readonly string[];
  /** Accepted like `settings`, but not listed in the help. */
  hiddenSettings?: readonly string[];
  options?: Readonly<Record<string, Option>>;
  /** Command lines with descriptions. */
  examples: readonly (readonly [line: string, meaning: string])[];
  /** Returns the exit status; a LoreError is converted to one. */
  run(invocation: Invocation): number | Promise<number>;
}

export interface Invocation {
  /** Positional arguments. */
  words: readonly string[];
  options: Readonly<Record<string, Given | undefined>>;
  /** Settings given as flags, by key. */
  flags: Readonly<Record<string, Given>>;
  output: Output;
}

/** The value of an option on a command line: one, none, or several. */
export type Given = string | boolean | readonly string[];

export interface Output {
  /** Results are requested as JSON. */
  readonly json: boolean;
  /** For results too long for memory. */
  readonly stream: Writable;
  print(text: string): void;
  /** Written synchronously, so that the process may exit at once. */
  printNow(text: string): void;
  printJson(value: unknown): void;
  note(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
  /** For formatting; the width is read on access. */
  readonly style: Style;
}
