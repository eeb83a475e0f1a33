// A service is a vertical slice: tools, resources, prompts, routes, commands, settings and tables that come and go together.
// Services do not know each other.
import type { Soon } from './attempt.ts';
import type { Call, Caller } from './call.ts';
import type { Command } from './command.ts';
import type { Annotations, Icon, PromptMessage, ResourceContents } from './content.ts';
import type { Advice, LoreError } from './error.ts';
import type { Log } from './log.ts';
import type { Migration } from './migration.ts';
import type { Route } from './route.ts';
import type { SettingTable } from './setting.ts';
import type { SkillSource } from './skill.ts';
import type { Effect, Tool, ToolResult } from './tool.ts';
import type { ToolProvider } from './tool-provider.ts';

export interface Service {
  readonly id: string;
  /** A name that stands for several services in settings. Their tools have it as well. */
  readonly group?: string;
  readonly title: string;
  /** One sentence, for people and for the server's instructions to models. */
  readonly summary: string;
  tools?(): readonly Tool[];
  /** Its tools accept the argument `project`: returns the caller in the project that it names, for this effect. */
  visit?(caller: Caller, project: string, effect: Effect): Promise<Caller>;
  resources?(): readonly Resource[];
  templates?(): readonly ResourceTemplate[];
  prompts?(): readonly Prompt[];
  readonly skills?: SkillSource;
  /** HTTP routes, below `/` and the service's id. */
  routes?(): readonly Route[];
  /** Commands of `lore`. They are run by the person and use tools through the registry. */
  commands?(): readonly Command[];
  /** Settings, whose keys begin with the service's id and an underscore. `Host.setting` reads them. */
  readonly settings?: SettingTable;
  /** Tables of its own. The ids of migrations begin with the service's id and a slash. */
  readonly migrations?: readonly Migration[];
  /** Further names that a permission can have: parts of the service that a person added. */
  permissionNames?(): Promise<readonly string[]>;
  /** Tools from outside that it can run, without listing each: tool_find, tool_read and tool_write find and run them. */
  readonly toolProvider?: ToolProvider;
  /** The kinds of nodes that it stores, and the tool that shows each: without its permission, other tools omit them. */
  readonly kinds?: { readonly [kind: string]: string };
  /** If it throws, this service stays off and reports why; the others run. */
  start?(host: Host): void | Promise<void>;
  stop?(): void | Promise<void>;
}

/** Of a service that may not be running. Outside of core, tools themselves are reached only through the registry. */
export function describeTools(service: Service): { name: string }[] {
  return (service.tools?.() ?? []).map(({ name }) => ({ name }));
}

/** Names that permissions have already, and that a source of `service` cannot have: services, groups, sources of others. */
export async function listTakenNames(services: readonly Service[], service: string): Promise<string[]> {
  const others = services.filter(({ id }) => id !== service);
  const further = await Promise.all(others.map(({ permissionNames }) => permissionNames?.() ?? []));
  return [...services.flatMap(({ id, group = id }) => [id, group]), ...further.flat()];
}

/** Lists that clients may cache. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** The interface of the registry for a running service. */
export interface Host {
  /** A list of the service has changed. */
  changed(kind: ListKind): void;
  /** The content of a resource has changed. */
  updated(uri: string): void;
  /** Registers an adviser that is asked when a tool of any service fails. */
  advise(adviser: Adviser): void;
  /** Called after every call of any service. It must return quickly; its errors are logged. */
  observe(observer: Observer): void;
  /** The providers of all running services, in the order of registration. */
  toolProviders(): readonly ToolProvider[];
  /** Tools of any service that the caller may call, but that the settings hide from the list of some client. */
  hiddenTools(caller: Caller): readonly Tool[];
  /** One of them, by its name. */
  hiddenTool(name: string, caller: Caller): Tool | undefined;
  /** A tool of any service that the caller may call, listed or not. */
  callableTool(name: string, caller: Caller): Tool | undefined;
  /** Calls a tool of any service, as a client does. */
  call(name: string, raw: unknown, call: Call): Soon<ToolResult>;
  /** The current value of a setting that this service declares. */
  setting(key: string): unknown;
  readonly log: Log;
}

/** A finished call, without arguments and result. */
export interface EndedCall {
  /** The tool, resource, prompt or command. */
  readonly name: string;
  readonly caller: string;
  /** "ok", an error word, or why there is no result: "cancelled", "InputRequired", "MovedToBackground". */
  readonly outcome: string;
  readonly ms: number;
}

export type Observer = (ended: EndedCall) => void;

/** Known fixes for a failure. The caller is waiting, so late advice is dropped. */
export type Adviser = (error: LoreError, call: Call) => Promise<readonly Advice[]>;

interface Described {
  name: string;
  title?: string;
  description?: string;
  icons?: readonly Icon[];
  /** The tool of the same service that shows the same data, whose permission covers this as well; without one, the service's. */
  permission?: string;
}

export interface Resource extends Described {
  uri: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
  read(call: Call): ResourceContents[] | Promise<ResourceContents[]>;
  /** As for templates. */
  watch?(call: Call): Promise<(() => void) | undefined>;
}

/** `{name}` in the template matches one path segment, `{+name}` any number of them. */
export interface ResourceTemplate extends Described {
  uriTemplate: string;
  mimeType?: string;
  annotations?: Annotations;
  read(values: Record<string, string>, uri: string, call: Call): ResourceContents[] | Promise<ResourceContents[]>;
  /** Checks a subscription, and reports changes that the service does not announce anyway until the returned function is called. */
  watch?(values: Record<string, string>, uri: string, call: Call): Promise<(() => void) | undefined>;
  complete?: Record<string, Completer>;
}

interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
  complete?: Completer;
}

export interface Prompt extends Described {
  arguments?: readonly PromptArgument[];
  get(args: Record<string, string>, call: Call): PromptMessage[] | Promise<PromptMessage[]>;
}

/** Values that match the typed text; `context` contains the arguments already filled in. */
export type Completer = (
  typed: string,
  context: Record<string, string>,
  call: Pick<Call, 'caller'>,
) => string[] | Promise<string[]>;
