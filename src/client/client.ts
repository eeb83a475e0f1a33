// A connection to one MCP server of any revision: requests with their questions answered, whole lists, and changes of lists.
import type { ClientAnswer, Questions } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { code } from '../protocol/code.ts';
import type { Params } from '../protocol/message.ts';
import { isModernRevision } from '../protocol/revision.ts';
import { type HandshakeOptions, type ServerFacts, shakeHands } from './handshake.ts';
import { ClientSession, type RequestContext, type ServerNotice } from './session.ts';
import { SessionWatches, watchMethod } from './watch.ts';
import { type OpenWire, UpstreamFailure } from './wire.ts';

export interface Client {
  readonly server: ServerFacts;
  readonly inFlight: number;
  /** The result of a request. Questions in between are passed to `context.ask`, in every revision. */
  request(method: string, params: Params, context?: RequestContext): Promise<Params>;
  /** All pages of a list; empty if the server does not have it. */
  list(kind: ListName, context?: RequestContext): Promise<Params[]>;
  close(): void;
}

export type ListName = keyof typeof lists;

const lists = {
  tools: { method: 'tools/list', capability: 'tools' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
} as const;

const maxPages = 200;
const maxEntries = 10_000;
/** Results that ask for more input, in one request. */
const maxRounds = 20;

export interface ClientOptions extends HandshakeOptions {
  /** Tools for which this is false are left out of the list. */
  accepts?(tool: Params): boolean;
  notice?: ServerNotice;
  closed?(error: LoreError): void;
}

export async function connectClient(open: OpenWire, options: ClientOptions = {}): Promise<Client> {
  const { notice = () => {}, closed = () => {}, accepts = () => true } = options;
  const session = new ClientSession(
    (method, params) => {
      watches.note(method, params);
      notice(method, params);
    },
    (error) => {
      watches.fail(error);
      closed(error);
    },
  );
  const watches = new SessionWatches(session);
  const wire = await session.open(open);
  let server: ServerFacts;
  try {
    server = await shakeHands(session, wire, options);
  } catch (error) {
    session.end();
    throw error;
  }
  const isModern = isModernRevision(server.revision);
  if (isModern) listen(session, server);
  return {
    server,
    get inFlight() {
      return session.inFlight;
    },
    request: (method, params, context = {}) =>
      method === watchMethod && !isModern ? watches.listen(params, context) : request(session, method, params, context),
    async list(kind, context) {
      const { method, capability } = lists[kind];
      if (server.capabilities[capability] === undefined) return [];
      const entries = await collect(session, method, kind, context);
      return kind === 'tools' ? entries.filter(accepts) : entries;
    },
    close: () => session.end(),
  };
}

/** Without sessions, a server reports changes only to a request that stays open. */
function listen(session: ClientSession, { capabilities }: ServerFacts): void {
  const wanted = (['tools', 'resources', 'prompts'] as const).filter((kind) => {
    const offered = capabilities[kind];
    return isObject(offered) && offered.listChanged === true;
  });
  if (wanted.length === 0) return;
  const notifications = Object.fromEntries(wanted.map((kind) => [`${kind}ListChanged`, true]));
  session.request(watchMethod, { notifications }).catch(() => {});
}

/** A stateless server ends the request with its questions, and gets it again with the answers. */
async function request(
  session: ClientSession,
  method: string,
  params: Params,
  context: RequestContext,
): Promise<Params> {
  let sent = params;
  let opened = false;
  for (let round = 0; round < maxRounds; round++) {
    let result: Params;
    try {
      result = await session.request(method, sent, context);
    } catch (error) {
      const pages = opened || !context.can?.includes('url') ? undefined : readPages(error);
      if (!pages) throw error;
      opened = true;
      const answers = await askAll(pages, context);
      if (Object.values(answers).some(({ action }) => action !== 'accept')) throw error;
      continue;
    }
    if (result.resultType !== 'input_required') return result;
    const questions = (isObject(result.inputRequests) ? result.inputRequests : {}) as Questions;
    const answers = await askAll(questions, context);
    const { requestState } = result;
    sent = { ...params, inputResponses: answers, ...(requestState !== undefined && { requestState }) };
  }
  throw new LoreError('limit_exceeded', `Cannot finish the call: the server asked more than ${maxRounds} times`);
}

/** In sessions, a server may refuse a request until the user has opened a page. */
function readPages(error: unknown): Questions | undefined {
  if (!(error instanceof UpstreamFailure) || error.code !== code.urlRequired || !isObject(error.data)) return undefined;
  const { elicitations } = error.data;
  const pages = (Array.isArray(elicitations) ? elicitations : []).filter(isObject).map((params, at) => {
    return [`page_${at + 1}`, { method: 'elicitation/create', params: { ...params, mode: 'url' } }];
  });
  return pages.length === 0 ? undefined : (Object.fromEntries(pages) as Questions);
}

async function askAll(questions: Questions, context: RequestContext): Promise<Answers> {
  const { signal } = context;
  if (Object.keys(questions).length === 0) return {};
  if (!context.ask)
    throw new LoreError('unavailable', 'Cannot finish the call: the server asks a question that nobody can answer');
  if (!signal) return context.ask(questions);
  let stop = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  return Promise.race([context.ask(questions), cancelled]).finally(() => signal.removeEventListener('abort', stop));
}

type Answers = { readonly [key: string]: ClientAnswer };

async function collect(
  session: ClientSession,
  method: string,
  member: ListName,
  context?: RequestContext,
): Promise<Params[]> {
  const found: Params[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const result = await session.request(method, cursor === undefined ? {} : { cursor }, context);
    const entries = Array.isArray(result[member]) ? result[member] : [];
    found.push(...entries.filter(isObject));
    if (found.length > maxEntries)
      throw new LoreError('limit_exceeded', `Cannot list ${member}: the server has more than ${maxEntries}`);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string' || cursor === '') return found;
  }
  throw new LoreError('limit_exceeded', `Cannot list ${member}: the list has more than ${maxPages} pages`);
}
