// Tools from outside the product: operations of APIs, programs, tools of other MCP servers. A service that has some is a provider.
// tool_find, tool_read and tool_write search, permit, run and render the tools of all providers, which are not listed one by one.
import type { Soon } from './attempt.ts';
import type { Call, Caller } from './call.ts';
import { LoreError } from './error.ts';
import type { JsonSchema } from './schema.ts';
import { didYouMean } from './text/similar-names.ts';
import type { Effect } from './tool.ts';

export interface ToolProvider {
  /** Successful reads are not recorded in the audit log: they may be many, and a line takes longer than a call. */
  readonly isUnrecorded?: true;
  /** Its sources that this caller can use. A search waits for it, so it reads only what is stored: it starts and requests nothing. */
  sources(caller: Caller): Promise<readonly ToolSource[]>;
  /** One of them, if that is faster than listing all: every call needs it. */
  source?(name: string, caller: Caller): Soon<ToolSource | undefined>;
  /** The tools of a source, in the same array until they change: each array is prepared for searches once. */
  catalog(source: string, caller: Caller): Soon<readonly ProvidedTool[]>;
  /**
   * The arguments of a tool as a model should see them: an object, trimmed. Without a caller, as they are in every project.
   * Undefined if they cannot be described.
   */
  describe(tool: ProvidedTool, caller?: Caller): Promise<JsonSchema | undefined>;
  /** Checks arguments before the user is asked whether the tool may run. Returns them as `run` expects them. */
  accept(tool: ProvidedTool, args: ToolArguments, caller: Caller): Soon<ToolArguments>;
  /** Runs an accepted and permitted call. Failures are a `LoreError`; foreign text is data in its `details`. */
  run(tool: ProvidedTool, args: ToolArguments, call: ProvidedCall): Promise<ProvidedAnswer>;
}

export type ToolArguments = { readonly [name: string]: unknown };

/** One API, program or server. Its name is unique among all providers, begins the names of its tools, and is a permission. */
export interface ToolSource {
  readonly name: string;
  readonly title: string;
  /** What it is, for messages and fences: "API", "MCP server". */
  readonly kind: string;
  /** Where its calls go: an origin or a command. */
  readonly origin: string;
  readonly tools: number;
  /** `unproved` until a real call has succeeded; a `broken` source cannot be called, and `note` says why. */
  readonly state: ToolSourceState;
  /** In our own words. */
  readonly note?: string;
  /** Only callers in this folder can use it. */
  readonly folder?: string;
}

export const toolSourceStates = ['ready', 'unproved', 'broken'] as const;
export type ToolSourceState = (typeof toolSourceStates)[number];

export interface ProvidedTool {
  /** As `toolNameOf` makes it. */
  readonly name: string;
  readonly source: string;
  readonly effect: Effect;
  readonly summary: string;
  /** The arguments on one line; required ones have a star. */
  readonly signature: string;
  /** The beginning of its description. */
  readonly description: string;
  /** Its name at the source: `get /pets/{id}`. */
  readonly key: string;
  /** Further words for searches: tags, and the names of arguments. */
  readonly words: string;
  /** The names of what it returns, for searches. */
  readonly returns: string;
  readonly isDeprecated?: boolean;
  /** Can be called by its name, but is not found. */
  readonly isHidden?: boolean;
  /** Only a permission of its own lets it run, not one of its source. */
  readonly isGuarded?: boolean;
  /** A warning in our own words that a model should see with the tool. */
  readonly note?: string;
}

export interface ProvidedCall {
  readonly call: Call;
  /** Reads a file of the caller's project that an argument names. */
  readFile(path: string): Promise<ProjectFile>;
  /** Follow the pages of a list until there are this many items. */
  readonly maxItems?: number | undefined;
}

export interface ProjectFile {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly type: string;
}

/** All of the answer: fitting the caller's budget is not the provider's work. */
export interface ProvidedAnswer {
  readonly status?: number;
  readonly media_type?: string;
  /** A JSON value, or a text. */
  readonly data?: unknown;
  readonly text?: string;
  /** Images, audio and other files. */
  readonly files?: readonly AnswerFile[];
  /** The address or cursor of the next page, if the source states one. */
  readonly next?: string;
}

export interface AnswerFile {
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

const validName = /^[a-z][a-z0-9]{0,11}$/;

/** Begins the names of stored answers, which are read like tools. */
export const answerSource = 'answer';

export function isSourceName(name: string): boolean {
  return validName.test(name) && name !== answerSource;
}

export function checkSourceName(name: string): void {
  if (isSourceName(name)) return;
  throw new LoreError(
    'invalid_input',
    `Cannot use the name "${name}": expected up to 12 lower-case letters and digits`,
    { details: { path: 'arguments.name', expected: String(validName), received: name } },
  );
}

/** The name of a tool: the source and the name of the tool there, which are separated by the first underscore. */
export function toolNameOf(source: string, tool: string): string {
  return `${source}_${tool}`;
}

export function splitToolName(name: string): { source: string; tool: string } {
  const at = name.indexOf('_');
  return { source: name.slice(0, Math.max(at, 0)), tool: name.slice(at + 1) };
}

/** There is no such tool: names similar ones. */
export function missingTool(name: string, catalog: readonly { readonly name: string }[]): LoreError {
  const names = catalog.map((one) => one.name);
  return new LoreError('not_found', `Cannot run "${name}": source "${splitToolName(name).source}" has no such tool`, {
    hint: didYouMean(name, names) ?? 'tool_find finds tools by what they do.',
  });
}
