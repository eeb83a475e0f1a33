// A tool is a value: its name, its descriptions, its schemas, its effect and its code. Lists, help, docs, permissions and
// annotations are derived from it.
import type { Call, CallerScope } from './call.ts';
import type { Command } from './command.ts';
import type { Content, Icon } from './content.ts';
import type { PermissionLevel } from './registry/permission.ts';
import type { Schema } from './schema.ts';
import type { Style } from './text/terminal.ts';

/** The effect of a call: reads, writes, or destroys data. */
export type Effect = 'read' | 'write' | 'destroy';

export const scopeOfEffect: Record<Effect, CallerScope> = { read: 'read', write: 'write', destroy: 'write' };

export interface ToolDefinition<I, O> {
  name: string;
  title: string;
  /** For a model deciding whether to call it; every word costs tokens in every session. */
  description: string;
  effect: Effect;
  /** Command lines with descriptions, for the help of the command. */
  examples?: Command['examples'];
  /** The argument that a command line takes without its name, if none is required. */
  main?: string;
  input: Schema<I>;
  /** The required scope, if it is not the effect's. Clients without it do not see the tool; `page`: a person, or a page of ours. */
  scope?: CallerScope | 'page';
  /** Without it a client gets only the content of `render`. */
  output?: Schema<O>;
  /** Repeating the same write changes nothing more. */
  idempotent?: boolean;
  /** Reaches beyond this machine. */
  openWorld?: boolean;
  /** Its calls mostly wait for another program, so many may run at once. */
  waits?: boolean;
  /** Clients that load tools only when a model searches for them show this one from the start. */
  preloaded?: boolean;
  /** Words by which a client that loads tools later should find this one, besides its name and description. */
  searchHint?: string;
  /** Shown by the profile "core", which is all that a client gets if tokens matter most. */
  core?: boolean;
  icons?: readonly Icon[];
  /** Hosts that can show pages (MCP Apps) open one for its result, or at least the page may call it, as it may if the scope is `page`. */
  page?: 'opens' | 'serves';
  /** Listed only for callers in this folder. */
  folder?: string;
  /** Counts against the caller's rate. */
  expensive?: boolean;
  /** The default permission; 'write' unless set. */
  allowed?: PermissionLevel;
  /** The group of its service, which a permission can name. */
  group?: string;
  /** Records every call in the audit log before the response; a function selects facts of the result, or none if it is not worth a line. */
  audited?: true | ((result: O) => Record<string, unknown> | undefined);
  /** `run` may use `call.background`; 'required' means that it cannot serve a client without tasks. */
  background?: 'allowed' | 'required';
  run(args: I, call: Call): O | Promise<O>;
  /** The result for a model to read; without it, the result as JSON. */
  render?(result: O): string | Content[];
  /** The result for a person at a terminal; without it, as for a model. */
  show?(result: O, style: Style): string;
}

/** A tool without its type parameters, which were checked at its definition. */
export type Tool = ToolDefinition<unknown, unknown>;

export interface ToolResult {
  content: Content[];
  /** Matches the tool's output schema. */
  structured?: unknown;
}

export const toolName = /^[a-z0-9_]{1,64}$/;

export function defineTool<I, O>(tool: ToolDefinition<I, O>): Tool {
  if (!toolName.test(tool.name)) throw new Error(`Cannot define tool "${tool.name}": its name must match ${toolName}`);
  return tool as Tool;
}
