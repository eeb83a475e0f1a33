// One call of a tool, prompt or resource as its code sees it: the caller, cancellation, progress, and questions to the user.
// The protocol implements it for each era; nothing here knows a wire format.
import { LoreError } from './error.ts';
import type { JsonSchema } from './schema.ts';

export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * The permission of a caller; a tool's effect determines the scope it needs. Only a person has `person`: at a terminal, in the
 * dashboard, or by a token for administration.
 */
export type CallerScope = 'read' | 'write' | 'person';

/** A person who is not the user of this machine. */
export interface CallerIdentity {
  readonly person: string;
  /** Whose data it sees; absent if the server has one tenant. */
  readonly tenant?: string;
  /** Whose projects it may use; absent if those of all. */
  readonly teams?: readonly string[];
}

export interface Caller {
  /** 'local' on stdio and on an open loopback port. */
  readonly id: string;
  readonly scopes: readonly CallerScope[];
  /** The caller's folder, which determines its project. Only graph/project/grant.ts changes it. */
  readonly folder: string;
  /** The folder whose files it may read, if it named a folder and was admitted: the top of its project or less, or empty. */
  readonly top?: string;
  /** It started the server, as clients on stdio do: it is the user, so its folders are granted. */
  readonly started?: boolean;
  /** Known by the token of an authorization server; absent for the user of this machine. */
  readonly identity?: CallerIdentity;
  /** The project that such a person works in, by name; its own by default. Only graph/project/grant.ts changes it. */
  readonly project?: string;
  /** A host that shows pages: they may call tools that it hides from its model. */
  readonly showsPages?: boolean;
  /** The name that the client gave itself; nothing is allowed by it. */
  readonly agent?: string;
  /** The folders of the client. Requested once, when they are needed. */
  readonly roots?: () => Promise<readonly string[]>;
}

let chosenFolder: string | undefined;

/** From now on, callers on this machine work in the folder that a person named, not in the working directory. */
export function workIn(folder: string): void {
  chosenFolder = folder;
}

function workingFolder(): string {
  return chosenFolder ?? process.cwd();
}

export const localCaller: Caller = {
  id: 'local',
  scopes: ['read', 'write'],
  get folder() {
    return workingFolder();
  },
};

const longestAgent = 100;

/** Who it is in statistics: a client of this machine by the name that it gave itself. */
export function nameCaller({ id, agent }: Caller): string {
  return id === localCaller.id && agent !== undefined ? agent.slice(0, longestAgent) : id;
}

/** The client that started this server, and uses its standard input and output. */
export const startingCaller: Caller = {
  id: 'local',
  scopes: ['read', 'write'],
  started: true,
  get folder() {
    return workingFolder();
  },
};

/** A person who runs a command that is not available to clients. */
export const personCaller: Caller = {
  id: 'local',
  scopes: ['read', 'write', 'person'],
  get folder() {
    return workingFolder();
  },
};

export interface Call {
  readonly signal: AbortSignal;
  readonly caller: Caller;
  /** The session or connection whose calls take turns with others. Absent: an independent call. */
  readonly client?: object | undefined;
  /** The client does not read its responses; no further calls are started for it. */
  readonly isFull?: boolean | undefined;
  /** A question is pending: the user's time does not count against the deadline. */
  readonly waiting: boolean;
  /** Whether the client wants to see progress; if it is not known, it may. */
  readonly wantsProgress?: boolean | undefined;
  /** A question ends this call; the client repeats it with the answers. */
  readonly isRepeated?: boolean | undefined;
  /** The parts of a tool's result that are sent: text, data if there is some, or (default) both. */
  readonly receives?: 'text' | 'data' | 'both';
  /** Ends the call from within: `signal` aborts with this reason. */
  cancel(reason: Error): void;
  progress(done: number, total?: number, message?: string): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Whether the client answers this kind of question, or takes a task instead of a result. */
  can(kind: ClientAbility): boolean;
  /**
   * Asks the user or the client, all questions at once. On stateless revisions the code runs again from its start with the
   * answers, so code before `ask` must have no effects.
   */
  ask<Q extends Questions>(questions: Q): Promise<AnswersTo<Q>>;
  /** Continues in the background if the client supports tasks; otherwise here. */
  background<T>(work: (call: Call) => Promise<T>): Promise<T>;
  /** Releases the connection while the work continues; capable clients fetch the rest later. */
  detach(): void;
}

/** A form, a page to open, a question for the model, or the client's folders. */
export type QuestionKind = 'elicitation' | 'url' | 'sampling' | 'roots';

export type ClientAbility = QuestionKind | 'tasks';

export type ClientQuestion =
  | { method: 'elicitation/create'; params: { [key: string]: unknown } }
  | { method: 'sampling/createMessage'; params: { [key: string]: unknown } }
  | { method: 'roots/list'; params?: { [key: string]: unknown } };

/** The client's result object for a question: `{action, content}`, `{role, content, model}` or `{roots}`. */
export type ClientAnswer = { readonly [key: string]: unknown };

export type Questions = { readonly [key: string]: ClientQuestion };
export type AnswersTo<Q extends Questions> = { [K in keyof Q]: ClientAnswer };

const kinds: Record<ClientQuestion['method'], QuestionKind> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

export function isQuestionMethod(method: string): method is ClientQuestion['method'] {
  return Object.hasOwn(kinds, method);
}

export function kindOfQuestion({ method, params }: ClientQuestion): QuestionKind {
  return method === 'elicitation/create' && params.mode === 'url' ? 'url' : kinds[method];
}

/** As a client declares it. */
export const questionCapabilities: Record<QuestionKind, { readonly [capability: string]: object }> = {
  elicitation: { elicitation: {} },
  url: { elicitation: { url: {} } },
  sampling: { sampling: {} },
  roots: { roots: {} },
};

/** A form for the user: a flat object of strings, numbers, booleans and choices. */
export function askForm(message: string, requestedSchema: JsonSchema): ClientQuestion {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

/** A question for the client's model. */
export function askModel(prompt: string, maxTokens: number, systemPrompt?: string): ClientQuestion {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
  return {
    method: 'sampling/createMessage',
    params: { messages, maxTokens, ...(systemPrompt !== undefined && { systemPrompt }) },
  };
}

export const askRoots: ClientQuestion = { method: 'roots/list' };

const nobody: Pick<Call, 'can' | 'ask'> = {
  can: () => false,
  ask: async () => {
    throw new LoreError('unavailable', 'Cannot ask a question: this caller cannot answer');
  },
};

/** A call without progress or logs, and without questions unless an asker is given: REST, CLI. */
export function createPlainCall(
  caller: Caller,
  onProgress: Call['progress'] = () => {},
  asker: Pick<Call, 'can' | 'ask'> = nobody,
  client?: object,
): Call {
  const controller = new AbortController();
  const call: Call = {
    caller,
    client,
    signal: controller.signal,
    waiting: false,
    receives: 'data',
    cancel: (reason) => controller.abort(reason),
    progress: onProgress,
    log: () => {},
    ...asker,
    background: (work) => work(call),
    detach: () => {},
  };
  return call;
}

/** The same call, by another caller. */
export function callAs(call: Call, caller: Caller): Call {
  return {
    caller,
    client: call.client,
    ...(call.receives && { receives: call.receives }),
    get signal() {
      return call.signal;
    },
    get isFull() {
      return call.isFull;
    },
    get waiting() {
      return call.waiting;
    },
    wantsProgress: call.wantsProgress,
    isRepeated: call.isRepeated,
    cancel: (reason) => call.cancel(reason),
    progress: (done, total, message) => call.progress(done, total, message),
    log: (level, data, logger) => call.log(level, data, logger),
    can: (kind) => call.can(kind),
    ask: (questions) => call.ask(questions),
    background: (work) => call.background((later) => work(callAs(later, caller))),
    detach: () => call.detach(),
  };
}

/** Thrown to end the call until answers arrive; the protocol turns it into a request for them. */
export class InputRequired extends Error {
  override readonly name = 'InputRequired';
  readonly questions: Record<string, ClientQuestion>;
  constructor(questions: Record<string, ClientQuestion>) {
    super('input required');
    this.questions = questions;
  }
}

/** Thrown because the work continues as a task. */
export class MovedToBackground extends Error {
  override readonly name = 'MovedToBackground';
  readonly work: (call: Call) => Promise<unknown>;
  constructor(work: (call: Call) => Promise<unknown>) {
    super('moved to the background');
    this.work = work;
  }
}

/** The client lacks a capability that this call needs. Keys as in the client's capabilities. */
export class CapabilityMissing extends Error {
  override readonly name = 'CapabilityMissing';
  readonly capabilities: { [capability: string]: unknown };
  constructor(capabilities: { [capability: string]: unknown }) {
    super(`the client does not offer ${Object.keys(capabilities).join(', ')}`);
    this.capabilities = capabilities;
  }
}
