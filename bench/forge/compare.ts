// Compares our request for every operation with the one that swagger-client builds, and lets openapi-enforcer read ours back.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Api } from '../../src/services/forge/openapi/api.ts';
import { asList, asObject, type JsonObject, openDocument } from '../../src/services/forge/openapi/document.ts';
import { describeInput } from '../../src/services/forge/openapi/model-schema.ts';
import type { ApiOperation } from '../../src/services/forge/openapi/operation.ts';
import { type ApiRequest, buildRequest } from '../../src/services/forge/openapi/request.ts';
import { type BenchOptions, readDocuments } from './documents.ts';
import { sample } from './sample.ts';

const base = 'https://api.example/v1';
/** openapi-enforcer 1.23 never finishes opening this document of 40 kB, and uses all memory meanwhile. */
const endless = 'microsoft.com/cognitiveservices-EntitySearch/1.0';
const readFile = async () => ({ bytes: Buffer.from('bytes'), name: 'file', type: 'application/octet-stream' });

interface ForeignRequest {
  url: string;
  body?: unknown;
  headers: { [name: string]: string };
}
type BuildForeign = (options: JsonObject) => ForeignRequest;

export async function run(options: BenchOptions): Promise<void> {
  const require = createRequire(join(options.root, 'bench/package.json'));
  const load = (name: string) => import(pathToFileURL(require.resolve(name)).href);
  const { default: client } = (await load('swagger-client')) as {
    default: { default?: { buildRequest: BuildForeign }; buildRequest: BuildForeign };
  };
  const buildForeign = (client.default ?? client).buildRequest;
  const { default: Enforcer } = (await load('openapi-enforcer')) as { default: OpenEnforcer };
  const counts = { operations: 0, sampled: 0, compared: 0, equal: 0, judged: 0, decoded: 0, refusedDocuments: 0 };
  const differences = new Map<string, string[]>();
  const note = (kind: string, text: string) => differences.set(kind, [...(differences.get(kind) ?? []), text]);
  for await (const { path, text } of readDocuments(options)) {
    const api = new Api(openDocument(JSON.parse(text)));
    const enforcer = path.includes(endless) ? undefined : await openEnforcer(Enforcer, text);
    if (!enforcer) counts.refusedDocuments++;
    for (const name of api.names) {
      counts.operations++;
      const prepared = await prepare(api, name);
      if (!prepared) continue;
      counts.sampled++;
      const { operation, args, request } = prepared;
      const foreign = askForeign(buildForeign, api, operation, args);
      if (foreign) {
        counts.compared++;
        const [own, other] = [
          normalise(`${request.origin}${request.target}`, request.body),
          normalise(foreign.url, foreign.body),
        ];
        if (own === other) counts.equal++;
        else
          note(
            kindOf(operation, args),
            `${path} ${operation.method} ${operation.path}\n  ours:   ${own.slice(0, 400)}\n  theirs: ${other.slice(0, 400)}`,
          );
      }
      const decoded = enforcer && readBack(enforcer, operation, request);
      if (decoded) {
        counts.judged++;
        const wrong = findWrong(operation, args, decoded);
        if (wrong === undefined) counts.decoded++;
        else note('enforcer', `${path} ${operation.method} ${operation.path}: ${wrong}`);
      }
    }
  }
  for (const [kind, found] of differences)
    console.log(`\n## ${kind}: ${found.length}\n${found.slice(0, 4).join('\n')}`);
  console.log(counts);
}

async function prepare(api: Api, name: string) {
  try {
    const operation = api.operation(name);
    const schema = describeInput(api, operation, Number.POSITIVE_INFINITY);
    const args = sample(schema, schema) as JsonObject | undefined;
    if (args === undefined) return undefined;
    const request = await buildRequest(api, operation, args, { base, readFile });
    return { operation, args, request };
  } catch {
    return undefined;
  }
}

/** A document with this operation alone, whose references are resolved. */
function askForeign(
  build: BuildForeign,
  api: Api,
  operation: ApiOperation,
  args: JsonObject,
): ForeignRequest | undefined {
  const { resolver, document } = api;
  const item = resolver.follow(asObject(document.root.paths)[operation.path], true);
  const node = asObject(item[operation.method.toLowerCase()]);
  const follow = (value: unknown) => {
    // swagger-client sends the defaults of 2.0 by itself.
    const { default: _, ...parameter } = resolver.follow(value);
    return { ...parameter, ...(parameter.schema !== undefined && { schema: resolver.follow(parameter.schema) }) };
  };
  const parameters = [...asList(item.parameters), ...asList(node.parameters)].map(follow);
  const own = new Map(parameters.map((one: JsonObject) => [`${one.in} ${one.name}`, one]));
  const content = operation.body?.contents[0];
  // Clashes of names, files and media types other than these are not comparable.
  if (operation.parameters.some(({ name, argument }) => name !== argument) || JSON.stringify(args).includes('base64'))
    return undefined;
  if (content && !/^application\/(?:json|x-www-form-urlencoded)$/.test(content.mediaType)) return undefined;
  const values: JsonObject = Object.fromEntries(
    operation.parameters.map(({ name, in: place }) => [`${place}.${name}`, args[name]]),
  );
  const isOld = document.version === '2.0';
  const form = isOld && own.size > 0 && [...own.values()].some((one: JsonObject) => one.in === 'formData');
  const bodyName = [...own.values()].find((one: JsonObject) => one.in === 'body') as JsonObject | undefined;
  if (form) Object.assign(values, args.body);
  else if (bodyName) values[String(bodyName.name)] = args.body;
  const { requestBody: _, ...rest } = node;
  const spec: JsonObject = {
    ...(isOld
      ? { swagger: '2.0', host: 'api.example', basePath: '/v1', schemes: ['https'], consumes: document.root.consumes }
      : { openapi: '3.0.3', servers: [{ url: base }] }),
    paths: {
      [operation.path]: {
        [operation.method.toLowerCase()]: {
          ...rest,
          operationId: 'op',
          servers: undefined,
          security: [],
          parameters: [...own.values()],
          ...(content &&
            !isOld && {
              requestBody: {
                content: {
                  [content.mediaType]: {
                    schema: resolver.follow(content.schema),
                    encoding: asObject(asObject(asObject(resolver.follow(node.requestBody)).content)[content.mediaType])
                      .encoding,
                  },
                },
              },
            }),
        },
      },
    },
  };
  try {
    return build({
      spec,
      operationId: 'op',
      parameters: values,
      ...(!isOld && content && { requestBody: args.body, requestContentType: content.mediaType }),
    });
  } catch {
    return undefined;
  }
}

/** Order, and characters that may be encoded or not, make no difference. */
function normalise(url: string, body: unknown): string {
  const plain = (text: string) =>
    text
      .replace(/%(?:7C|5B|5D|21|27|28|29|2A|7E|3A|40|24)/gi, (code) => decodeURIComponent(code))
      .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  const sorted = (pairs: string) => plain(pairs.replaceAll('+', '%20')).split('&').sort().join('&');
  const [path = '', ...query] = (url.split('#')[0] as string).split('?');
  const content =
    body === undefined
      ? ''
      : typeof body === 'string' || body instanceof Uint8Array
        ? Buffer.from(body as string).toString()
        : JSON.stringify(body);
  const isForm = content !== '' && !/^[[{"\d]|^(?:true|false|null)$/.test(content);
  return `${plain(path)}?${sorted(query.join('?'))} ${isForm ? sorted(content) : content}`;
}

/** What the operation has that may explain a difference. */
function kindOf(operation: ApiOperation, args: JsonObject): string {
  const given = operation.parameters.filter(({ argument }) => args[argument] !== undefined);
  const nested = given.find(({ argument }) => typeof args[argument] === 'object');
  if (operation.path.includes('#') || operation.path.includes('?')) return 'query or fragment in the path';
  if (given.some(({ allowReserved }) => allowReserved)) return 'allowReserved';
  if (nested) return `${nested.in} ${nested.style} ${Array.isArray(args[nested.argument]) ? 'array' : 'object'}`;
  if (operation.body?.contents[0]?.mediaType.includes('form')) return 'form';
  return operation.body ? 'body' : 'plain';
}

type Decoded = { path?: JsonObject; query?: JsonObject; header?: JsonObject; headers?: JsonObject; body?: unknown };
type OpenedEnforcer = { request(request: object, options: object): [Decoded | undefined, unknown] };
type OpenEnforcer = (document: unknown, options: object) => Promise<OpenedEnforcer>;

async function openEnforcer(Enforcer: OpenEnforcer, text: string): Promise<OpenedEnforcer | undefined> {
  const document = JSON.parse(text) as JsonObject;
  if (text.length > 200_000 || String(document.openapi ?? '').startsWith('3.1')) return undefined;
  const server = document.swagger === undefined ? { servers: [{ url: base }] } : {};
  try {
    return await Enforcer({ ...document, ...server, security: undefined }, { hideWarnings: true });
  } catch {
    return undefined;
  }
}

function readBack(
  enforcer: OpenedEnforcer,
  operation: ApiOperation,
  { target, headers, body }: ApiRequest,
): Decoded | undefined {
  const content = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  if (content.startsWith('multipart/') || content === 'application/octet-stream') return undefined;
  const text = body === undefined ? undefined : Buffer.from(body).toString();
  try {
    const [decoded] = enforcer.request(
      {
        method: operation.method.toLowerCase(),
        path: target.replace(/^\/v1/, ''),
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        ...(text !== undefined && { body: content.includes('json') ? JSON.parse(text) : text }),
      },
      { allowOtherQueryParameters: true },
    );
    return decoded;
  } catch {
    return undefined;
  }
}

function findWrong({ parameters }: ApiOperation, args: JsonObject, decoded: Decoded): string | undefined {
  for (const { in: place, name, argument } of parameters) {
    if (args[argument] === undefined || (place !== 'path' && place !== 'query' && place !== 'header')) continue;
    const values = Object.entries(asObject(decoded[place] ?? (place === 'header' ? decoded.headers : undefined)));
    const isNamed = (key: string) => key === name || (place === 'header' && key.toLowerCase() === name.toLowerCase());
    const found = values.find(([key]) => isNamed(key))?.[1];
    const plain = (value: unknown) =>
      JSON.stringify(value instanceof Date ? value.toISOString() : value)
        ?.replace(/\.000Z/g, 'Z')
        .replace(/T00:00:00Z/g, '');
    if (found !== undefined && plain(found) !== plain(args[argument]))
      return `${place} ${name}: ${plain(found)} instead of ${plain(args[argument])}`;
    if (found === undefined && plain(args[argument]) !== '{}') return `${place} ${name} is missing`;
  }
  return undefined;
}
