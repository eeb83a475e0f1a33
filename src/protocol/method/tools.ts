// tools/list and tools/call, and the tasks that calls may become.
import type { Soon } from '../../core/attempt.ts';
import { type Call, CapabilityMissing, MovedToBackground } from '../../core/call.ts';
import { text } from '../../core/content.ts';
import { LoreError } from '../../core/error.ts';
import { isObject } from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { didYouMean } from '../../core/text/similar-names.ts';
import type { ToolResult } from '../../core/tool.ts';
import { ended, errorFacts, firstErrorFacts, invalidParams, toolErrorCode, toRpcError } from '../code.ts';
import type { Exchange } from '../exchange.ts';
import type { Params } from '../message.ts';
import { projectResult, servesPage } from '../project.ts';
import type { Protocol } from '../protocol.ts';
import { firstRevision, tasksExtension, toolKey } from '../revision.ts';
import type { Outcome } from '../task.ts';
import { defineList, type Method, members } from './method.ts';

const listTools = defineList('tools');

const callTool: Method = {
  era: 'both',
  run(exchange, protocol) {
    const { name, arguments: args } = exchange.params;
    if (typeof name !== 'string') throw invalidParams('params.name must be a string');
    if (args !== undefined && !isObject(args)) throw invalidParams('params.arguments must be an object');
    const tool = protocol.registry.find(name);
    if (!tool) {
      const close = didYouMean(
        name,
        protocol.registry.tools(exchange.caller).map((one) => one.name),
      );
      throw invalidParams(`Unknown tool: ${name}${close === undefined ? '' : `. ${close}`}`, { code: 'ToolNotFound' });
    }
    if (tool.background === 'required' && exchange.stateless && !exchange.knowsTasks) throw tasksMissing();
    const brought = protocol.bringAnswers(exchange);
    return brought ? brought.then(() => call(exchange, protocol, name, args)) : call(exchange, protocol, name, args);
  },
};

function call(exchange: Exchange, protocol: Protocol, name: string, args: unknown): Soon<string> {
  const tool = exchange.pages ? protocol.registry.find(name) : undefined;
  const page = tool && servesPage(tool) ? name : undefined;
  try {
    const result = protocol.registry.call(name, args, exchange);
    if (!(result instanceof Promise)) return writeCallResult(exchange, result, page);
    return result.then(
      (late) => writeCallResult(exchange, late, page),
      (error) => writeCallError(exchange, protocol, error, page),
    );
  } catch (error) {
    return writeCallError(exchange, protocol, error, page);
  }
}

function writeCallResult({ revision, structured }: Exchange, result: ToolResult, page: string | undefined): string {
  return members(projectResult(result, revision, structured, page));
}

function writeCallError(exchange: Exchange, protocol: Protocol, error: unknown, page: string | undefined): string {
  if (error instanceof MovedToBackground) return startTask(exchange, protocol, error.work);
  const result = failureResult(exchange, error);
  return members(page === undefined ? result : { ...result, _meta: { [toolKey]: page } });
}

/** A failure that a model can act on is a result too; any other is rethrown. */
function failureResult(exchange: Exchange, error: unknown): Params {
  if (!(error instanceof LoreError)) throw error;
  const outcome = toolErrorCode(error, exchange.era);
  if (outcome !== 'as result') throw toRpcError(error, exchange.stateless, outcome);
  return {
    content: [text(describeFailure(error))],
    structuredContent: { success: false, error: errorFacts(error) },
    ...(exchange.revision === firstRevision && { success: false, error: firstErrorFacts(error) }),
    isError: true,
  };
}

function describeFailure({ message, hint, advice, details }: LoreError): string {
  const own = hint === undefined ? message : `${message}. ${hint}`;
  const foreign = details?.response;
  const said = typeof foreign === 'string' && foreign !== '' ? [{ id: 'response', text: foreign }] : [];
  const text = said.length === 0 ? own : `${own}\n${fenceAsData(said, 'returned by the called tool')}`;
  return advice.length === 0 ? text : `${text}\nThis fixed it before:\n${fenceAsData(advice)}`;
}

/** Returns the task at once; the response becomes the task's outcome. */
function startTask(exchange: Exchange, protocol: Protocol, work: (call: Call) => Promise<unknown>): string {
  const run = async (call: Call): Promise<Outcome> => {
    try {
      const running = work(call) as Promise<ToolResult>;
      const result = running.then((done) => projectResult(done, exchange.revision, exchange.structured));
      const outcome = await result.catch((error) => failureResult(exchange, error));
      return { result: { resultType: 'complete', ...outcome } };
    } catch (error) {
      const {
        code: errorCode,
        message,
        data,
      } = protocol.toError(exchange, call.signal.aborted ? call.signal.reason : error);
      return { error: data === undefined ? { code: errorCode, message } : { code: errorCode, message, data } };
    }
  };
  const task = protocol.tasks.start(exchange.caller, exchange.capabilities, run);
  return members({ resultType: 'task', ...task });
}

function tasksMissing(): CapabilityMissing {
  return new CapabilityMissing({ extensions: { [tasksExtension]: {} } });
}

function requireTasks(exchange: Exchange): void {
  if (!exchange.knowsTasks) throw tasksMissing();
}

const getTask: Method = {
  era: 'stateless',
  run(exchange, { tasks }) {
    requireTasks(exchange);
    return members(tasks.find(exchange.params.taskId, exchange.caller).describe());
  },
};

const updateTask: Method = {
  era: 'stateless',
  run(exchange, { tasks }) {
    requireTasks(exchange);
    const { taskId, inputResponses } = exchange.params;
    if (!isObject(inputResponses)) throw invalidParams('params.inputResponses must be an object');
    tasks.find(taskId, exchange.caller).answer(inputResponses);
    return '';
  },
};

const cancelTask: Method = {
  era: 'stateless',
  run(exchange, { tasks }) {
    requireTasks(exchange);
    tasks.find(exchange.params.taskId, exchange.caller).cancel(ended('the client cancelled it'));
    return '';
  },
};

export const toolMethods = {
  'tools/list': listTools,
  'tools/call': callTool,
  'tasks/get': getTask,
  'tasks/update': updateTask,
  'tasks/cancel': cancelTask,
} satisfies Record<string, Method>;
