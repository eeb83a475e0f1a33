// Runs one operation: arguments, credentials, rate, request, response. Its caller has checked the permission.
import type { Call } from '../../../core/call.ts';
import { fromJsonSchema } from '../../../core/foreign.ts';
import { readRetryAfter } from '../../../core/outgoing/retry-after.ts';
import { type OutgoingOptions, type OutgoingResponse, send } from '../../../core/outgoing/send.ts';
import { createRateLimit } from '../../../core/registry/rate.ts';
import { check, type Schema } from '../../../core/schema.ts';
import { missingTool, splitToolName, toolNameOf } from '../../../core/tool-provider.ts';
import type { Forge } from '../forge.ts';
import { findGraphqlError } from '../graphql/query.ts';
import type { Api } from '../openapi/api.ts';
import type { ReadFile } from '../openapi/body.ts';
import type { JsonObject } from '../openapi/document.ts';
import type { ApiOperation } from '../openapi/operation.ts';
import { type ApiRequest, buildRequest, type PlacedCredential } from '../openapi/request.ts';
import { serverOf } from '../openapi/server.ts';
import { encodeText } from '../openapi/style.ts';
import { describeArguments } from '../source/edit.ts';
import type { CatalogEntry, Source } from '../source/source.ts';
import { type ApiAnswer, explainStatus, hideSecrets, readAnswer } from './answer.ts';
import { authorize } from './authorize.ts';
import { collectPages, findNextPage } from './pages.ts';

/** Requests a minute to one host. */
const perMinute = 120;
const timeoutMs = 60_000;
const mostBytes = 16 * 1024 * 1024;
/** A longer delay is left to the caller. */
const longestWaitMs = 20_000;
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY']);

const rate = createRateLimit(() => perMinute);

export interface LocatedTool {
  name: string;
  source: Source;
  entry: CatalogEntry;
}

export async function locateTool({ sources }: Pick<Forge, 'sources'>, name: string): Promise<LocatedTool> {
  const { source: owner, tool } = splitToolName(name);
  const source = await sources.get(owner);
  const catalog = await sources.catalog(source);
  const entry = catalog.find((one) => one.name === tool);
  if (entry) return { name, source, entry };
  throw missingTool(
    name,
    catalog.map((one) => ({ name: toolNameOf(owner, one.name) })),
  );
}

/** Checks the arguments, and returns them as `runTool` expects them. */
export async function acceptArguments(
  { sources }: Pick<Forge, 'sources'>,
  { name, source, entry }: LocatedTool,
  given: JsonObject,
): Promise<JsonObject> {
  const api = await sources.api(source);
  const args = readScalars(api, api.operation(entry.name), { ...entry.edit?.defaults, ...given });
  check(schemaOf(api, entry), args, 'arguments', `run "${name}"`);
  return args;
}

interface RunOptions {
  readFile: ReadFile;
  /** Follows further pages until there are this many items. */
  maxItems?: number | undefined;
}

export async function runTool(
  forge: Pick<Forge, 'sources' | 'credentials'>,
  tool: LocatedTool,
  args: JsonObject,
  { signal }: Pick<Call, 'signal'>,
  { readFile, maxItems }: RunOptions,
): Promise<ApiAnswer> {
  const { name, source, entry } = tool;
  const api = await forge.sources.api(source);
  const operation = api.operation(entry.name);
  const { origin } = serverOf(api.document, operation, source);
  const permit = (refused: readonly string[] = []) =>
    authorize(forge, source, operation.security, { origin, signal: signal, refused });
  let credentials = await permit();
  const reach = origin === source.origin ? source.reach : 'public';
  const limits = { reach, timeoutMs, maxBytes: mostBytes, signal };
  const build = (values: JsonObject) =>
    buildRequest(api, operation, values, { base: source.base, credentials, readFile });
  let request = await build(args);
  /** A token may have been revoked before it expired. A request that was not let in has changed nothing. */
  const renew = async (): Promise<boolean> => {
    const used = credentials.map(({ value }) => value);
    credentials = await permit(used);
    return credentials.some(({ value }) => !used.includes(value));
  };
  const load = async (): Promise<ApiAnswer> => {
    let response = await sendPatiently(request, operation, limits);
    if (response.status === 401 && (await renew())) {
      request = await build(args);
      response = await sendPatiently(request, operation, limits);
    }
    const answer = readAnswer(response, secretsOf(credentials));
    if (response.status < 200 || response.status > 299) throw explainStatus(name, response, answer);
    const failure = operation.graphql && findGraphqlError(name, answer.data);
    if (failure) throw failure;
    return answer;
  };
  /** The address of the next page may contain the key. */
  const hideNext = ({ next, ...answer }: ApiAnswer): ApiAnswer =>
    next === undefined ? answer : { ...answer, next: hideSecrets(next, secretsOf(credentials)) };
  const first = await load();
  if (operation.effect !== 'read') return hideNext(first);
  await forge.sources.prove(source.name);
  if (maxItems === undefined) return hideNext(first);
  const all = await collectPages(first, maxItems, async (page) => {
    const next = findNextPage(page, operation, `${request.origin}${request.target}`);
    if (!next) return undefined;
    request = 'args' in next ? await build({ ...args, ...next.args }) : withTarget(request, next.target, credentials);
    return load();
  });
  return hideNext(all);
}

function secretsOf(credentials: readonly PlacedCredential[]): string[] {
  return credentials.map(({ value }) => value.replace(/^(?:Basic|Bearer) /, ''));
}

/** A link to the next page may lack the key that its query needs. */
function withTarget(request: ApiRequest, target: string, credentials: readonly PlacedCredential[]): ApiRequest {
  const present = new URL(target, request.origin).searchParams;
  const missing = credentials.filter((one) => one.in === 'query' && !present.has(one.name));
  const pairs = missing.map(({ name, value }) => `${encodeText(name)}=${encodeText(value)}`);
  const separator = target.includes('?') ? '&' : '?';
  return { ...request, target: pairs.length === 0 ? target : `${target}${separator}${pairs.join('&')}` };
}

/** Compiled once for each version of a catalog. */
const schemas = new WeakMap<CatalogEntry, Schema<unknown>>();

function schemaOf(api: Api, entry: CatalogEntry): Schema<unknown> {
  const schema = schemas.get(entry) ?? fromJsonSchema(describeArguments(api, entry));
  schemas.set(entry, schema);
  return schema;
}

/** A number for a text parameter, or the reverse, is written the same way. */
function readScalars(api: Api, { parameters }: ApiOperation, given: JsonObject): JsonObject {
  const read = parameters.map(({ argument, schema }): [string, unknown] => {
    const value = given[argument];
    const { type } = api.resolver.follow(schema);
    if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
      return [argument, String(value)];
    const isNumber =
      (type === 'integer' || type === 'number') && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    return [argument, isNumber ? Number(value) : value];
  });
  return { ...given, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
}

/** One retry, if the API asks for a short delay and repeating the request changes nothing more. */
async function sendPatiently(
  request: ApiRequest,
  { method }: ApiOperation,
  options: OutgoingOptions,
): Promise<OutgoingResponse> {
  const { host } = new URL(request.origin);
  rate.take(host, host);
  const response = await send(request, options);
  const wait =
    response.status === 429 || response.status === 503 ? readRetryAfter(response.headers['retry-after']) : undefined;
  if (wait === undefined || wait > longestWaitMs || !repeatable.has(method)) return response;
  const { setTimeout: sleep } = await import('node:timers/promises');
  await sleep(wait, undefined, { signal: options.signal });
  return send(request, options);
}
