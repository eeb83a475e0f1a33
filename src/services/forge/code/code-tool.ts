// Tools that are code on this machine: functions of a repository and commands of a program. They are stored as the document of
// a source, so that names, edits and permissions work as for APIs.
import type { JsonSchema } from '../../../core/schema.ts';
import type { Effect } from '../../../core/tool.ts';

export const codeFormat = 'code';

export interface CodeDocument {
  /** The real path of the folder that calls run in. */
  readonly folder: string;
  readonly tools: { readonly [key: string]: CodeTool };
}

export type CodeTool = FunctionTool | CommandTool;

interface DescribedCode {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly effect: Effect;
  /** The arguments: an object. */
  readonly schema: JsonSchema;
}

export interface FunctionTool extends DescribedCode {
  readonly kind: 'function';
  readonly language: 'python' | 'javascript';
  /** From the folder, with slashes, and the SHA-256 of its content when a person added it. */
  readonly file: string;
  readonly hash: string;
  readonly export: string;
  /** The arguments in the order of the parameters. */
  readonly parameters: readonly string[];
}

export interface CommandTool extends DescribedCode {
  readonly kind: 'command';
  readonly program: ProgramFile;
  /** The words before its options: `remote add`. */
  readonly words: readonly string[];
  readonly options: readonly CommandOption[];
  /** The arguments after its options. */
  readonly positionals: readonly string[];
}

/** A program on PATH, or a file with its hash. */
export interface ProgramFile {
  readonly program: string;
  readonly hash?: string;
  /** What runs the file, if it cannot run by itself. */
  readonly runner?: 'python' | 'node';
}

export interface CommandOption {
  readonly argument: string;
  /** `--output`, or `-o` if there is no long form. */
  readonly flag: string;
  readonly takesValue: boolean;
}

/** The arguments on one line; required ones have a star. */
export function signatureOf({ schema }: Pick<CodeTool, 'schema'>): string {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  const names = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '*' : ''}`);
  return `(${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''})`;
}
