// Stateless HTTP requests repeat parts of their body in headers for proxies. If the two disagree, the request is refused,
// since a proxy and this server could see different requests. Our client writes them by the same rules.
import type { Registry } from '../core/registry/registry.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import type { Tool } from '../core/tool.ts';
import { code, RpcError } from './code.ts';
import type { Params, RequestMessage } from './message.ts';
import { metaKey } from './revision.ts';

/** Reads a header by its lower-case name. */
export interface Headers {
  header(name: string): string | undefined;
}

/** Position of the value of `Mcp-Name` in the body. */
const nameSource = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

export function checkVersionHeader(message: RequestMessage, headers: Headers): void {
  const version = message.meta?.[metaKey.version];
  const given = headers.header('mcp-protocol-version');
  if (given !== version) throw mismatch('MCP-Protocol-Version', given, version);
}

export function checkNameHeaders(message: RequestMessage, headers: Headers, registry: Registry): void {
  const method = headers.header('mcp-method');
  if (method !== message.method) throw mismatch('Mcp-Method', method, message.method);
  const source = nameSource.get(message.method);
  if (source === undefined) return;
  const name = message.params[source];
  const given = decode(headers.header('mcp-name'), 'Mcp-Name');
  if (given !== name) throw mismatch('Mcp-Name', given, name);
  if (message.method === 'tools/call') checkParamHeaders(message, headers, registry);
}

function checkParamHeaders({ params }: RequestMessage, headers: Headers, registry: Registry): void {
  const tool = typeof params.name === 'string' ? registry.find(params.name) : undefined;
  if (!tool) return;
  for (const { path, suffix } of paramsOf(tool)) {
    const value = valueAt(params.arguments, path);
    const name = `Mcp-Param-${suffix}`;
    const given = decode(headers.header(name.toLowerCase()), name);
    const expected = value === undefined || value === null ? undefined : show(value);
    const same = given === expected || (typeof value === 'number' && given !== undefined && Number(given) === value);
    if (!same) throw mismatch(name, given, expected);
  }
}

/** The headers of a request: method, name, and the annotated arguments of a tool with this schema. */
export function writeNameHeaders(method: string, params: Params, schema?: JsonSchema): [name: string, value: string][] {
  const source = nameSource.get(method);
  const name = source === undefined ? undefined : params[source];
  const annotated = method === 'tools/call' && schema ? annotatedParams(schema, []) : [];
  const given = annotated.map(({ path, suffix }) => [`Mcp-Param-${suffix}`, valueAt(params.arguments, path)] as const);
  return [['Mcp-Method', method] as const, ['Mcp-Name', name] as const, ...given]
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'object')
    .map(([header, value]) => [header, encode(String(value))]);
}

/** Whether the annotated arguments can be headers: named by one token each, and of types with one spelling. */
export function hasUsableHeaders(schema: unknown): boolean {
  const annotated = annotatedParams(schema, []);
  const names = new Set(annotated.map(({ suffix }) => suffix.toLowerCase()));
  return (
    names.size === annotated.length &&
    annotated.every(({ suffix, type }) => token.test(suffix) && headerTypes.has(type as string))
  );
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerTypes = new Set(['string', 'integer', 'boolean']);

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((level, key) => (isObject(level) ? level[key] : undefined), args);
}

interface AnnotatedParam {
  path: string[];
  suffix: string;
  type: unknown;
}

const foundParams = new WeakMap<Tool, AnnotatedParam[]>();

function paramsOf(tool: Tool): AnnotatedParam[] {
  let found = foundParams.get(tool);
  if (!found) {
    found = annotatedParams(tool.input.json, []);
    foundParams.set(tool, found);
  }
  return found;
}

/** Properties marked `x-mcp-header` at any depth, by the chain of `properties` that leads to them. */
function annotatedParams(schema: unknown, path: string[]): AnnotatedParam[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    const here = [...path, key];
    const suffix = isObject(property) ? property['x-mcp-header'] : undefined;
    const own = typeof suffix === 'string' ? [{ path: here, suffix, type: (property as JsonSchema).type }] : [];
    return [...own, ...annotatedParams(property, here)];
  });
}

const sentinel = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

function decode(value: string | undefined, name: string): string | undefined {
  if (value === undefined) return undefined;
  if (/[^\t\x20-\x7e]/.test(value)) throw malformed(name);
  const encoded = sentinel.exec(value)?.[1];
  if (encoded === undefined) {
    if (value.startsWith('=?base64?') && value.endsWith('?=')) throw malformed(name);
    return value;
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) throw malformed(name);
  return bytes.toString();
}

/** Plain values are sent as they are. */
function encode(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function malformed(name: string): RpcError {
  return new RpcError(code.headerMismatch, `Header mismatch: ${name} is not correctly encoded`, { status: 400 });
}

function mismatch(name: string, given: unknown, expected: unknown): RpcError {
  const received = given === undefined ? `${name} is missing` : `${name} is "${show(given)}"`;
  const wanted = expected === undefined ? 'the body has no such value' : `the body has "${show(expected)}"`;
  return new RpcError(code.headerMismatch, `Header mismatch: ${received}, ${wanted}`, { status: 400 });
}

/** Objects are not written out: their content comes from the client and may be large. */
function show(value: unknown): string {
  return typeof value === 'object' ? 'an object' : String(value);
}
