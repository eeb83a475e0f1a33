// MCP between any transport and the registry. The era is determined for each message, so clients of every revision share one
// process, one endpoint and one core.
import type { Soon } from '../core/attempt.ts';
import { type Caller, CapabilityMissing, InputRequired, type LogLevel, logLevels } from '../core/call.ts';
import { LoreError, toLoreError } from '../core/error.ts';
import { explainUnreadable, readJson } from '../core/json.ts';
import { describeError, type Log } from '../core/log.ts';
import type { Registry } from '../core/registry/registry.ts';
import { isObject } from '../core/schema.ts';
import { isAnswer } from './answer.ts';
import { serveBatch } from './batch.ts';
import { noCapabilities, readCapabilities } from './capability.ts';
import { code, ended, invalidParams, RpcError, toRpcError } from './code.ts';
import { Exchange } from './exchange.ts';
import { checkNameHeaders, checkVersionHeader } from './header.ts';
import { Hub } from './hub.ts';
import type { Link, Reply } from './link.ts';
import { Lists } from './list.ts';
import {
  classify,
  type Id,
  type NotificationMessage,
  type RequestMessage,
  writeError,
  writeResult,
} from './message.ts';
import { lifecycleMethods } from './method/lifecycle.ts';
import { type Method, members } from './method/method.ts';
import { promptMethods } from './method/prompts.ts';
import { resourceMethods } from './method/resources.ts';
import { skillMethods } from './method/skills.ts';
import { toolMethods } from './method/tools.ts';
import { envelopeError, methodNotFound, noSession, unsupportedVersion } from './refusal.ts';
import {
  allowsBatches,
  assumedRevision,
  isLegacyRevision,
  isModernRevision,
  legacyRevisions,
  metaKey,
  modernRevisions,
} from './revision.ts';
import { forgetRoots } from './roots.ts';
import type { Session } from './session.ts';
import { type LoadKey, StateSeal } from './state.ts';
import { Tasks } from './task.ts';

interface ServerInfo {
  name: string;
  title: string;
  version: string;
  /** The server's instructions to the model of this client. */
  instructions(client: { caller: Caller; offersRoots: boolean }): string;
  pageSize: number;
  /** The key for the state of stateless clients; if it fails or is absent, one of this process. */
  stateKey?: LoadKey;
  /** Send output schemas and structured results to every client, not only on request. */
  structured: boolean;
  /** Loads the services; everything except the handshake waits for it. */
  load?(): Promise<void>;
}

/** Most concurrent requests of one session and of all clients together. */
const maxUnderWay = { session: 4_096, all: 16_384 };

/** A short line can contain millions of elements, each with a long response. */
const maxBatch = 1_000;

const methods = new Map<string, Method>(
  Object.entries({ ...lifecycleMethods, ...toolMethods, ...resourceMethods, ...promptMethods, ...skillMethods }),
);

export class Protocol {
  readonly registry: Registry;
  readonly info: ServerInfo;
  readonly lists: Lists;
  readonly hub: Hub;
  readonly tasks: Tasks;
  readonly #log: Log;
  readonly #seal: StateSeal;
  readonly #underWay = new Set<Exchange>();
  readonly #serverMeta: string;
  #isLoaded: boolean;

  constructor(registry: Registry, info: ServerInfo, log: Log) {
    this.registry = registry;
    this.info = info;
    this.lists = new Lists(registry, info.pageSize);
    this.hub = new Hub(registry);
    this.tasks = new Tasks((taskId, task) => this.hub.notifyTask(taskId, task));
    this.#log = log;
    this.#seal = new StateSeal(info.stateKey);
    this.#isLoaded = info.load === undefined;
    this.#serverMeta = JSON.stringify({ [metaKey.serverInfo]: { name: info.name, version: info.version } }).slice(
      1,
      -1,
    );
  }

  /** The response to one message, if it has one. Never throws: every failure is a response. */
  receive(text: string, link: Link): Soon<Reply | undefined> {
    try {
      const reply = this.#receive(text, link);
      return reply instanceof Promise ? reply.catch((error: unknown) => this.#lose(error)) : reply;
    } catch (error) {
      return this.#lose(error);
    }
  }

  #lose(error: unknown): Reply {
    return refusal(null, this.toError(undefined, error));
  }

  #receive(text: string, link: Link): Soon<Reply | undefined> {
    let value: unknown;
    try {
      value = readJson(text);
    } catch (error) {
      const reason = `Parse error: the message ${explainUnreadable(error)}`;
      return refusal(null, new RpcError(code.parseError, reason, { status: 400 }));
    }
    return Array.isArray(value) ? this.#receiveBatch(value, link) : this.#receiveOne(value, link);
  }

  #receiveOne(value: unknown, link: Link, inBatch = false): Soon<Reply | undefined> {
    const message = classify(value);
    switch (message.kind) {
      case 'request':
        if (inBatch && message.method === 'initialize') {
          return refusal(
            message.id,
            new RpcError(code.invalidRequest, 'Invalid request: initialize cannot be in a batch'),
          );
        }
        return this.#serve(message, link);
      case 'notification':
        return this.#handleNotification(message, link);
      case 'response':
        if (!link.session) return needsSession(null);
        link.session.answer(message);
        return undefined;
      case 'invalid':
        return refusal(message.id, new RpcError(message.code, `Invalid request: ${message.reason}`, { status: 400 }));
    }
  }

  async #receiveBatch(values: unknown[], link: Link): Promise<Reply | undefined> {
    const refuse = (reason: string) =>
      refusal(null, new RpcError(code.invalidRequest, `Invalid request: ${reason}`, { status: 400 }));
    if (values.length === 0) return refuse('a batch cannot be empty');
    if (values.length > maxBatch) return refuse(`a batch has at most ${maxBatch} messages`);
    if (values.some(carriesEnvelope)) return refuse('revision 2026-07-28 has no batches');
    if (!link.session) return needsSession(null);
    const { initialized, revision } = link.session;
    if (initialized && !allowsBatches(revision)) return refuse(`revision ${revision} has no batches`);
    const serve = (value: unknown) => this.#receiveOne(value, link, true);
    const texts = await serveBatch(values, serve, this.registry.rules.maxResultBytes ?? Number.POSITIVE_INFINITY);
    return texts.length === 0 ? undefined : { text: `[${texts.join(',')}]`, status: 200 };
  }

  #serve(message: RequestMessage, link: Link): Soon<Reply | undefined> {
    return this.#isLoaded ? this.#run(message, link) : this.#serveFirst(message, link);
  }

  #serveFirst(message: RequestMessage, link: Link): Soon<Reply | undefined> {
    const run = () => this.#run(message, link);
    if (!methods.get(message.method)?.isGreeting) {
      return this.#load().then(run, (error: unknown) => this.#fail(message.id, undefined, error));
    }
    // More requests will follow the handshake, but its response is sent first.
    setTimeout(() => void this.#load().catch(() => {}), 1);
    return run();
  }

  async #load(): Promise<void> {
    await this.info.load?.();
    this.#isLoaded = true;
  }

  #run(message: RequestMessage, link: Link): Soon<Reply | undefined> {
    let exchange: Exchange | undefined;
    try {
      exchange = this.#open(message, link);
      const method = methods.get(message.method);
      if (!method || !existsIn(method, exchange)) throw methodNotFound(message.method, exchange.stateless);
      const result = method.run(exchange, this);
      return result instanceof Promise ? this.#wait(exchange, result) : this.#answer(exchange, result);
    } catch (error) {
      return this.#fail(message.id, exchange, error);
    }
  }

  /** Only waiting requests can be cancelled, lost or ended, so only those are tracked. */
  async #wait(exchange: Exchange, pending: Promise<string>): Promise<Reply | undefined> {
    this.#enter(exchange);
    try {
      return this.#answer(exchange, await pending);
    } catch (error) {
      return this.#fail(exchange.id, exchange, error);
    } finally {
      this.#leave(exchange);
    }
  }

  #answer(exchange: Exchange, result: string): Reply | undefined {
    exchange.closed = true;
    return exchange.unwanted
      ? undefined
      : { text: writeResult(exchange.id, this.#dress(exchange, result)), status: 200 };
  }

  /** Determines the era of a request, and checks its envelope. */
  #open(message: RequestMessage, link: Link): Exchange {
    const { session } = link;
    if (session?.underWay?.has(message.id)) {
      throw new RpcError(code.invalidRequest, 'Invalid request: its id is that of a request in progress');
    }
    if ((session?.underWay?.size ?? 0) >= maxUnderWay.session || this.#underWay.size >= maxUnderWay.all) {
      throw new LoreError('limit_exceeded', 'Cannot serve the request: too many requests are in progress', {
        hint: 'Retry when some of them are done.',
      });
    }
    if (message.meta?.[metaKey.version] !== undefined) return this.#openStateless(message, link);
    if (!session && message.method !== 'initialize') {
      const version = link.headers?.header('mcp-protocol-version');
      if (isModernRevision(version)) throw envelopeError(`_meta["${metaKey.version}"] is missing`);
      if (version === undefined || isLegacyRevision(version)) throw noSession();
      throw unsupportedVersion(version, [...legacyRevisions, ...modernRevisions]);
    }
    const revision = session?.revision ?? assumedRevision;
    const { structured } = this.info;
    const capabilities = session?.capabilities ?? noCapabilities;
    return new Exchange(message, link, { revision, stateless: false, structured, capabilities });
  }

  #openStateless(message: RequestMessage, link: Link): Exchange {
    const meta = message.meta ?? {};
    const revision = meta[metaKey.version];
    if (typeof revision !== 'string') throw envelopeError(`_meta["${metaKey.version}"] must be a string`);
    if (link.headers) checkVersionHeader(message, link.headers);
    if (!isModernRevision(revision)) throw unsupportedVersion(revision);
    const offered = meta[metaKey.capabilities];
    if (!isObject(offered)) throw envelopeError(`_meta["${metaKey.capabilities}"] must be an object`);
    const logFloor = meta[metaKey.logLevel];
    if (logFloor !== undefined && !logLevels.includes(logFloor as LogLevel)) {
      throw envelopeError(`_meta["${metaKey.logLevel}"] must be one of ${logLevels.join(', ')}`);
    }
    if (link.headers) checkNameHeaders(message, link.headers, this.registry);
    return new Exchange(message, link, {
      revision,
      stateless: true,
      structured: this.info.structured,
      capabilities: readCapabilities(offered),
      logFloor: logFloor as LogLevel | undefined,
    });
  }

  #enter(exchange: Exchange): void {
    const { link } = exchange;
    const { session } = link;
    if (session) {
      session.underWay ??= new Map();
      session.underWay.set(exchange.id, exchange);
    }
    this.#underWay.add(exchange);
    link.onGone?.(() => abandon(exchange));
  }

  #leave(exchange: Exchange): void {
    exchange.closed = true;
    this.#underWay.delete(exchange);
    exchange.link.session?.underWay?.delete(exchange.id);
  }

  /** A notification is never answered; over HTTP a misplaced one is refused by its status. */
  #handleNotification(message: NotificationMessage, link: Link): Reply | undefined {
    const stateless = isModernRevision(link.headers?.header('mcp-protocol-version'));
    if (!link.session) return stateless ? undefined : needsSession(null);
    if (message.method === 'notifications/cancelled') {
      const exchange = link.session.underWay?.get(message.params.requestId as Id);
      if (exchange && exchange.method !== 'initialize') abandon(exchange);
    }
    if (message.method === 'notifications/roots/list_changed') forgetRoots(link.session);
    return undefined;
  }

  /** The common members of every result of an era. */
  #dress(exchange: Exchange, result: string): string {
    if (!exchange.stateless) return `{${result}}`;
    const type = result.startsWith('"resultType"') ? '' : '"resultType":"complete",';
    if (result.startsWith('"_meta":{'))
      return `{${type}"_meta":{${this.#serverMeta},${result.slice('"_meta":{'.length)}}`;
    return `{${type}"_meta":{${this.#serverMeta}}${result === '' ? '' : `,${result}`}}`;
  }

  #fail(id: Id, exchange: Exchange | undefined, error: unknown): Soon<Reply | undefined> {
    if (exchange) exchange.closed = true;
    if (exchange?.unwanted) return undefined;
    if (error instanceof InputRequired && exchange) return this.#requireInput(exchange, error);
    return refusal(id, this.toError(exchange, error));
  }

  async #requireInput(exchange: Exchange, { questions }: InputRequired): Promise<Reply> {
    const requestState = await this.#seal.seal(exchange, exchange.answers);
    const result = members({ resultType: 'input_required', inputRequests: questions, requestState });
    return { text: writeResult(exchange.id, this.#dress(exchange, result)), status: 200 };
  }

  /** Converts any error to the one for the client. */
  toError(exchange: Exchange | undefined, error: unknown): RpcError {
    if (error instanceof RpcError) return error;
    if (error instanceof CapabilityMissing) {
      const data = { requiredCapabilities: error.capabilities };
      return new RpcError(code.missingCapability, 'Missing required client capability', { data, status: 400 });
    }
    const failure = toLoreError(error, 'answer the request');
    if (!(error instanceof LoreError))
      this.#log.error('internal_error', { ...failure.details, ...describeError(failure) });
    return toRpcError(failure, exchange?.stateless ?? false);
  }

  /** Reads the answers of a stateless client that repeats its request. */
  bringAnswers(exchange: Exchange): Promise<void> | undefined {
    const { inputResponses, requestState } = exchange.params;
    if (!exchange.stateless || (inputResponses === undefined && requestState === undefined)) return undefined;
    return this.#bringAnswers(exchange, requestState, inputResponses);
  }

  async #bringAnswers(exchange: Exchange, requestState: unknown, inputResponses: unknown): Promise<void> {
    const answers = await this.#seal.open(exchange, requestState);
    if (inputResponses !== undefined && !isObject(inputResponses)) {
      throw invalidParams('params.inputResponses must be an object');
    }
    for (const [key, answer] of Object.entries(inputResponses ?? {})) {
      if (!isAnswer(answer)) throw invalidParams(`params.inputResponses.${key} is not an answer`);
      answers[key] = answer;
    }
    exchange.answers = answers;
  }

  endSession(session: Session, reason: string): void {
    this.hub.part(session);
    for (const exchange of session.underWay?.values() ?? []) exchange.cancel(ended(reason));
  }

  /** Ends listen streams, gives running requests some time to finish, then refuses the rest. */
  async close(graceMs: number): Promise<void> {
    this.hub.close();
    await this.#idle(graceMs);
    const reason = ended('the server is shutting down');
    this.tasks.cancelAll(reason);
    for (const exchange of this.#underWay) exchange.cancel(reason);
    await this.#idle(graceMs);
  }

  #idle(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const until = Date.now() + withinMs;
      const look = () => {
        if (this.#underWay.size === 0 || Date.now() >= until) resolve();
        else setTimeout(look, 5);
      };
      look();
    });
  }
}

function existsIn(method: Method, { stateless }: Exchange): boolean {
  return method.era === 'both' || (method.era === 'stateless') === stateless;
}

function abandon(exchange: Exchange): void {
  exchange.unwanted = true;
  exchange.closed = true;
  exchange.cancel(ended('the client cancelled it'));
}

function carriesEnvelope(value: unknown): boolean {
  const params = isObject(value) ? value.params : undefined;
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && meta[metaKey.version] !== undefined;
}

function needsSession(id: Id | null): Reply {
  return refusal(id, noSession());
}

function refusal(id: Id | null, error: RpcError): Reply {
  const { status = 200, data } = error;
  return { text: writeError(id, error.code, error.message, data), status, ...(isObject(data) && { details: data }) };
}
