// What each method must answer to parameters of any kind, for the methods the fuzzer uses: a code, or "result" (which for
// a tool includes its own failures).
import { isObject, Unwanted } from './model.ts';

type Params = { [key: string]: unknown };
type Told = number | 'result';

const metaPrefix = 'io.modelcontextprotocol/';
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const shared: Record<string, (params: Params, modern: boolean, strict: boolean) => Told> = {
  'tools/list': listing,
  'prompts/list': listing,
  'resources/list': listing,
  'tools/call'(params, modern, strict) {
    if (typeof params.name !== 'string' || params.name !== 'greet') return -32602;
    if (params.arguments !== undefined && !isObject(params.arguments)) return -32602;
    if (strict && !modern && !isGreeting(params.arguments)) return -32602;
    return broughtWrongly(params, modern) ? -32602 : 'result';
  },
  'resources/read'(params, modern) {
    if (typeof params.uri !== 'string' || broughtWrongly(params, modern)) return -32602;
    if (params.uri === 'test://static-text') return 'result';
    return modern ? -32602 : -32002;
  },
  'prompts/get'(params, modern) {
    if (params.name !== 'test_simple_prompt' || broughtWrongly(params, modern)) return -32602;
    return params.arguments === undefined || isTexts(params.arguments) ? 'result' : -32602;
  },
  'completion/complete'({ ref, argument, context }) {
    if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') return -32602;
    if (isObject(context) && context.arguments !== undefined && !isTexts(context.arguments)) return -32602;
    return isObject(ref) && ref.type === 'ref/prompt' && ref.name === 'test_simple_prompt' ? 'result' : -32602;
  },
};

const sessionful: Record<string, (params: Params) => Told> = {
  ping: () => 'result',
  'logging/setLevel': ({ level }) => (levels.includes(level as string) ? 'result' : -32602),
  'resources/unsubscribe': ({ uri }) => (typeof uri === 'string' ? 'result' : -32602),
  initialize(params) {
    const { clientInfo } = params;
    const isEmpty = Object.keys(params).length === 0;
    if (isEmpty || (isObject(clientInfo) && typeof clientInfo.name === 'string')) throw new Unwanted('initialize');
    return -32602;
  },
  shutdown() {
    throw new Unwanted('shutdown');
  },
};

const stateless: Record<string, (params: Params) => Told> = {
  'server/discover': () => 'result',
  'subscriptions/listen'({ notifications }) {
    if (isObject(notifications)) throw new Unwanted('subscriptions/listen');
    return -32602;
  },
  'tasks/get': () => -32021,
};

export function predictMethod(method: string, params: Params, strict: boolean): Told {
  const meta = (params._meta ?? {}) as Params;
  const version = meta[`${metaPrefix}protocolVersion`];
  if (version === undefined) return find(method, shared, sessionful)?.(params, false, strict) ?? -32601;
  if (typeof version !== 'string') return -32602;
  if (version !== '2026-07-28') return -32022;
  if (!isObject(meta[`${metaPrefix}clientCapabilities`])) return -32602;
  const level = meta[`${metaPrefix}logLevel`];
  if (level !== undefined && !levels.includes(level as string)) return -32602;
  return find(method, shared, stateless)?.(params, true, strict) ?? -32601;
}

function find<T>(method: string, ...tables: Record<string, T>[]): T | undefined {
  const table = tables.find((candidate) => Object.hasOwn(candidate, method));
  return table?.[method];
}

/** The fuzzer never holds a cursor the server made. */
function listing({ cursor }: Params): Told {
  return cursor === undefined ? 'result' : -32602;
}

/** Answers and state that no earlier round of this request has led to; sessions know neither. */
function broughtWrongly({ inputResponses, requestState }: Params, modern: boolean): boolean {
  if (!modern) return false;
  if (requestState !== undefined) return true;
  if (inputResponses === undefined) return false;
  return !isObject(inputResponses) || Object.values(inputResponses).length > 0;
}

/** The arguments of `greet`. */
function isGreeting(value: unknown): boolean {
  return isTexts(value) && Object.keys(value as Params).join() === 'name';
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((entry) => typeof entry === 'string');
}
