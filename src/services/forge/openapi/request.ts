// Builds the HTTP request of a call: the exact bytes, without sending them. URLs are never normalised, because `new URL`
// resolves `..` and would reach another endpoint.
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import { writeQuery } from '../graphql/query.ts';
import type { Api } from './api.ts';
import { isJson, type ReadFile, writeBody } from './body.ts';
import type { JsonObject } from './document.ts';
import { type ApiOperation, type BodyContent, essenceOf, type Parameter } from './operation.ts';
import { type ServerChoice, serverOf } from './server.ts';
import { encodeText, joinInner, writeCookies, writeHeader, writePairs, writePath } from './style.ts';

export interface ApiRequest {
  method: string;
  /** Scheme, host and port. */
  origin: string;
  /** Percent-encoded, with the query. */
  target: string;
  headers: [name: string, value: string][];
  body?: Uint8Array;
}

/** A credential at its place in the request. */
export interface PlacedCredential {
  in: 'header' | 'query' | 'cookie';
  name: string;
  value: string;
}

export interface RequestOptions extends ServerChoice {
  credentials?: readonly PlacedCredential[];
  readFile: ReadFile;
}

/** Headers that belong to the connection. */
const reservedHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
]);

export async function buildRequest(
  api: Api,
  operation: ApiOperation,
  args: JsonObject,
  options: RequestOptions,
): Promise<ApiRequest> {
  const { credentials = [] } = options;
  const placed = (place: PlacedCredential['in']) => credentials.filter((one) => one.in === place);
  const given = operation.parameters.flatMap((parameter) => {
    const value = joinInner(args[parameter.argument], parameter.innerDelimiters);
    return value === undefined || value === null ? [] : [{ parameter, value }];
  });
  const at = (place: Parameter['in']) => given.filter(({ parameter }) => parameter.in === place);
  const { origin, path: basePath } = serverOf(api.document, operation, options);
  const { path, query: fixedQuery } = expandPath(operation, at('path'));
  const query = [
    ...fixedQuery,
    ...at('querystring').map(({ parameter, value }) => writeQuerystring(parameter, value)),
    ...at('query').flatMap(({ parameter, value }) => {
      const { mediaType, name } = parameter;
      if (mediaType !== undefined) return `${encodeText(name)}=${encodeText(writeContent(mediaType, value))}`;
      return writePairs(name, value, parameter);
    }),
    ...placed('query').map(({ name, value }) => `${encodeText(name)}=${encodeText(value)}`),
  ].filter((pair) => pair !== '');
  const cookies = [
    ...at('cookie').flatMap(({ parameter, value }) => {
      const { mediaType, name } = parameter;
      if (mediaType !== undefined) return `${name}=${encodeText(writeContent(mediaType, value))}`;
      return writeCookies(parameter, value);
    }),
    ...placed('cookie').map(({ name, value }) => `${name}=${value}`),
  ];
  const headers = new Map<string, [string, string]>();
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [name, checkHeader(name, value)]);
  set('Accept', acceptOf(operation));
  for (const { parameter, value } of at('header')) {
    const { mediaType, name } = parameter;
    if (reservedHeaders.has(name.toLowerCase())) continue;
    set(name, mediaType === undefined ? writeHeader(parameter, value) : writeContent(mediaType, value));
  }
  if (cookies.length > 0) set('Cookie', cookies.join('; '));
  for (const { name, value } of placed('header')) set(name, value);
  const body = await bodyOf(api, operation, args, options.readFile);
  if (body) set('Content-Type', body.mediaType);
  return {
    method: operation.method,
    origin,
    target: `${basePath}${path}${query.length > 0 ? `?${query.join('&')}` : ''}` || '/',
    headers: [...headers.values()],
    ...(body && { body: body.bytes }),
  };
}

async function bodyOf(api: Api, { body, graphql }: ApiOperation, args: JsonObject, readFile: ReadFile) {
  if (graphql) return { mediaType: 'application/json', bytes: Buffer.from(writeQuery(graphql, args)) };
  if (!body || args.body === undefined) return undefined;
  const wanted = args._content_type;
  const content = body.contents.find(({ mediaType }) => mediaType === wanted) ?? (body.contents[0] as BodyContent);
  return writeBody(content, args.body, api.resolver, readFile);
}

/** The path with its parameters. A fragment is not sent; a query in the path is. */
function expandPath({ path }: ApiOperation, given: readonly { parameter: Parameter; value: unknown }[]) {
  const [template = '', ...queries] = (path.split('#')[0] as string).split('?');
  const expand = (text: string) =>
    text.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const found = given.find(({ parameter }) => parameter.name === name);
      if (!found) throw refusePath(name, 'it is missing');
      return expandOne(found.parameter, found.value);
    });
  const expanded = escapeLiteral(expand(template).replace(/^(?!\/|$)/, '/'));
  if (expanded.split('/').some(isDots)) throw refusePath(path, 'a segment of the path would be "." or ".."');
  return { path: expanded, query: queries.length === 0 ? [] : escapeLiteral(expand(queries.join('?'))).split('&') };
}

function expandOne(parameter: Parameter, value: unknown): string {
  const { name, mediaType } = parameter;
  const text = mediaType === undefined ? writePath(parameter, value) : encodeText(writeContent(mediaType, value));
  if (text === '') throw refusePath(name, 'an empty value would reach another path');
  // Many servers decode a slash before they resolve dots, and some decode twice.
  if (decodeAll(text).split(/[/\\]/).includes('..')) throw refusePath(name, 'it contains the segment ".."');
  return text;
}

function isDots(segment: string): boolean {
  return /^\.{1,2}$/.test(decodeAll(segment));
}

function decode(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeAll(text: string): string {
  let decoded = text;
  for (let times = 0; times < 4; times++) decoded = decode(decoded);
  return decoded;
}

/** Characters of the document's own path that a URL cannot contain. */
function escapeLiteral(path: string): string {
  return path.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (character) => encodeText(character));
}

function refusePath(name: string, reason: string): LoreError {
  return new LoreError('invalid_input', `Cannot use path parameter "${name}": ${reason}`);
}

function writeQuerystring({ mediaType = 'application/x-www-form-urlencoded' }: Parameter, value: unknown): string {
  if (essenceOf(mediaType) === 'application/x-www-form-urlencoded' && isObject(value)) {
    const plain = { style: 'form', explode: true, allowReserved: false } as const;
    return Object.entries(value)
      .flatMap(([name, entry]) => writePairs(name, entry, plain))
      .join('&');
  }
  return encodeText(writeContent(mediaType, value));
}

/** A parameter with a media type: JSON, or text as it is. */
function writeContent(mediaType: string, value: unknown): string {
  const isText = typeof value === 'string' && !isJson(essenceOf(mediaType));
  return isText ? value : JSON.stringify(value);
}

function acceptOf({ responseTypes }: ApiOperation): string {
  const json = responseTypes.filter((type) => isJson(essenceOf(type)));
  const types = [...json, ...responseTypes.filter((type) => !json.includes(type))];
  return types.length === 0 ? 'application/json, */*;q=0.5' : types.slice(0, 8).join(', ');
}

function checkHeader(name: string, value: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw new LoreError('invalid_input', `Cannot send header "${name}": its name is not valid`);
  }
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new LoreError(
    'invalid_input',
    `Cannot send header "${name}": its value has a line break or a character that headers cannot contain`,
  );
}
