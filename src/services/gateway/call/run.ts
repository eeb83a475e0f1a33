// Runs one tool of a mounted server: approval, arguments, request, answer.
import type { Params, RequestContext } from '../../../client/session.ts';
import { followTask, readTask, type SendRequest, type StartedTask, taskTtlMs } from '../../../client/task.ts';
import type { Soon } from '../../../core/attempt.ts';
import type { Call, Caller } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { fromJsonSchema } from '../../../core/foreign.ts';
import { check, isObject, type JsonSchema, type Schema } from '../../../core/schema.ts';
import { missingTool, type ToolArguments } from '../../../core/tool-provider.ts';
import { catalogOf, completeArguments, type MountedTool, requireApproval } from '../catalog.ts';
import type { Gateway } from '../gateway.ts';
import type { LessonStore, Lessons } from '../learn/lessons.ts';
import type { MountState } from '../mount/store.ts';
import type { UpstreamTool } from '../trust/definition.ts';
import { explainFailure } from './answer.ts';
import { contextOfTask, type ParkedCalls } from './parked.ts';

export interface LocatedMount {
  state: MountState;
  mounted: MountedTool;
}

/** As it is now: it may have changed since it was found. */
export function locateMounted(gateway: Gateway, source: string, name: string, caller: Caller): Soon<LocatedMount> {
  const view = gateway.viewFor(gateway.store.get(source), caller);
  return view instanceof Promise ? view.then((state) => findMounted(state, name)) : findMounted(view, name);
}

function findMounted(state: MountState, name: string): LocatedMount {
  const catalog = catalogOf(state);
  const mounted = catalog.find(({ provided }) => provided.name === name);
  if (!mounted)
    throw missingTool(
      name,
      catalog.map(({ provided }) => provided),
    );
  requireApproval(state, mounted);
  return { state, mounted };
}

/** Compiled once for each version of a catalog. Undefined if the server's schema is not valid: then the server checks alone. */
const schemas = new WeakMap<JsonSchema, Schema<unknown> | undefined>();

function schemaOf(json: JsonSchema): Schema<unknown> | undefined {
  if (schemas.has(json)) return schemas.get(json);
  let schema: Schema<unknown> | undefined;
  try {
    schema = fromJsonSchema(json);
    schema.warm?.();
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    schema = undefined;
  }
  schemas.set(json, schema);
  return schema;
}

export function acceptArguments({ state: { mount }, mounted }: LocatedMount, given: ToolArguments): ToolArguments {
  const { provided, tool, schema: json } = mounted;
  const locked = Object.keys(mount.locked ?? {}).find((name) => Object.hasOwn(given, name));
  if (locked !== undefined)
    throw new LoreError('forbidden', `Cannot run "${provided.name}": the user set the argument "${locked}"`, {
      hint: 'Call it without this argument.',
    });
  const schema = schemaOf(json);
  if (schema) check(schema, given, 'arguments', `run "${provided.name}"`);
  return completeArguments(mount, tool, given);
}

/** What the calls of one process share. */
export interface CallState {
  readonly parked: ParkedCalls;
  readonly lessons: Lessons;
  /** One mount is served alone. */
  readonly isAlone?: boolean;
}

export async function runMounted<T>(
  gateway: Gateway,
  calls: CallState,
  located: LocatedMount,
  args: ToolArguments,
  call: Call,
  read: (name: string, result: Params) => T,
): Promise<T> {
  const { state, mounted } = located;
  const { provided, tool } = mounted;
  const key = () => JSON.stringify([call.caller.id, provided.name, args]);
  const send: SendRequest = (method, params, context) => gateway.request(state, method, params, context);
  let task: StartedTask;
  try {
    const takesTasks = call.can('tasks');
    const facts = {
      // Also of the locked ones, which may be repeated in headers.
      schema: isObject(tool.inputSchema) ? tool.inputSchema : undefined,
      isRepeatable: provided.effect === 'read',
      // A client of one server alone gets the same errors as without us.
      followsTasks: takesTasks || !calls.isAlone,
    };
    const params = { name: tool.name, arguments: args, ...askForTask(state, tool, takesTasks) };
    const result = await calls.parked.run(key, call, facts, (context) => {
      const sent = send('tools/call', params, context);
      return takesTasks ? sent : sent.then((started) => waitForTask(send, started, context));
    });
    const started = readTask(result);
    if (!started) return await noteSuccess(gateway, calls, located, args, call, read(provided.name, result));
    task = started;
  } catch (error) {
    return noteFailure(gateway, calls, located, args, call, error);
  }
  return call.background(async (later) => {
    try {
      const result = await followTask(send, task, contextOfTask(later));
      return await noteSuccess(gateway, calls, located, args, call, read(provided.name, result));
    } catch (error) {
      return noteFailure(gateway, calls, located, args, call, error);
    }
  });
}

function waitForTask(send: SendRequest, result: Params, context: RequestContext): Params | Promise<Params> {
  const task = readTask(result);
  return task ? followTask(send, task, context) : result;
}

/** In sessions, the client of a server decides what becomes a task, as far as the tool allows. */
function askForTask({ listing }: MountState, { execution }: UpstreamTool, takesTasks: boolean): Params | undefined {
  const support = isObject(execution) ? execution.taskSupport : undefined;
  if (support === undefined || !isObject(listing?.server.capabilities.tasks)) return undefined;
  const isWanted = support === 'required' || (support === 'optional' && takesTasks);
  return isWanted ? { task: { ttl: taskTtlMs } } : undefined;
}

async function noteSuccess<T>(
  gateway: Gateway,
  { lessons }: CallState,
  { state, mounted: { provided, tool } }: LocatedMount,
  args: ToolArguments,
  call: Call,
  answer: T,
): Promise<T> {
  if (lessons.hasFailures)
    await lessons.noteSuccess(sessionKey(call, provided.name), tool.name, args, lessonsOf(gateway, state.mount.name));
  return answer;
}

async function noteFailure(
  gateway: Gateway,
  { lessons, isAlone }: CallState,
  { state, mounted: { provided, tool } }: LocatedMount,
  args: ToolArguments,
  call: Call,
  error: unknown,
): Promise<never> {
  const failure = explainFailure(provided.name, error, isAlone);
  const text = failure instanceof LoreError ? failure.details?.response : undefined;
  if (!(failure instanceof LoreError) || typeof text !== 'string') throw failure;
  const session = sessionKey(call, provided.name);
  const advice = await lessons.noteFailure(session, tool.name, args, text, lessonsOf(gateway, state.mount.name));
  const { word, message, details, cause } = failure;
  throw new LoreError(word, message, { ...(details && { details }), advice, cause });
}

/** Only what one client does in a row is compared. */
function sessionKey({ client, caller }: Call, name: string): string {
  const number = client === undefined ? undefined : (sessions.get(client) ?? ++lastSession);
  if (client !== undefined && number !== undefined) sessions.set(client, number);
  return `${number ?? caller.id} ${name}`;
}

const sessions = new WeakMap<object, number>();
let lastSession = 0;

function lessonsOf({ store }: Gateway, name: string): LessonStore {
  return {
    read: () => store.find(name)?.lessons ?? [],
    // Learning must not fail a call.
    save: (lessons) => store.save(name, { lessons }).catch(() => {}),
  };
}
