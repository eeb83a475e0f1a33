// Reads a Postman collection (2.0 and 2.1) as OpenAPI 3.1. Requests are examples, so schemas are inferred from them.
import { isObject } from '../../../core/schema.ts';
import { asList, asObject, asText, type JsonObject } from '../openapi/document.ts';
import { decodePercent } from '../openapi/resolver.ts';
import { inferBody } from './infer.ts';

export function isPostman(value: JsonObject): boolean {
  return /schema\.(?:get)?postman\.com\/json\/collection\/v2/.test(asText(asObject(value.info).schema));
}

interface Folder {
  names: readonly string[];
  auth: unknown;
}

export function convertPostman(collection: JsonObject): JsonObject {
  const variables = new Map(
    asList(collection.variable).map((each) => [asText(asObject(each).key), String(asObject(each).value ?? '')]),
  );
  const paths: { [path: string]: JsonObject } = {};
  const securitySchemes: { [id: string]: JsonObject } = {};
  let server = '';
  for (const { request, names, auth } of listRequests(asList(collection.item), { names: [], auth: collection.auth })) {
    const { origin, path, query } = splitUrl(request.url, variables);
    server ||= origin;
    const method = (asText(request.method) || 'GET').toLowerCase();
    // A fragment is not sent: it tells requests to the same path apart.
    const key = paths[path]?.[method] === undefined ? path : `${path}#${names.join('/')}`;
    const scheme = readAuth(request.auth ?? auth);
    if (scheme) securitySchemes[scheme.id] = scheme.scheme;
    const operation = {
      operationId: names.slice(-2).join(' '),
      summary: names.at(-1),
      tags: names.slice(0, -1),
      description: asText(request.description) || asText(asObject(request.description).content),
      parameters: [...query, ...listHeaders(request)],
      security: scheme ? [{ [scheme.id]: [] }] : [],
      ...(isObject(request.body) && convertBody(request.body)),
      ...(origin !== server && { servers: [{ url: origin }] }),
    };
    paths[key] = { ...paths[key], [method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title: asText(asObject(collection.info).name) },
    servers: [{ url: server }],
    paths,
    components: { securitySchemes },
  };
}

function* listRequests(
  items: readonly unknown[],
  { names, auth }: Folder,
): Generator<Folder & { request: JsonObject }> {
  for (const value of items) {
    const item = asObject(value);
    const own = { names: [...names, asText(item.name)], auth: item.auth ?? auth };
    if (Array.isArray(item.item)) yield* listRequests(item.item, own);
    else if (typeof item.request === 'string') yield { ...own, request: { url: item.request, method: 'GET' } };
    else if (isObject(item.request)) yield { ...own, request: item.request };
  }
}

/** Variables of the collection are filled in; `:id` and other variables in the path become parameters. */
function splitUrl(url: unknown, variables: ReadonlyMap<string, string>) {
  const raw = typeof url === 'string' ? url : asText(asObject(url).raw);
  const filled = fill(raw, variables);
  const [, origin = '', rest = ''] = /^((?:[a-z]+:\/\/)?[^/?#]*)([^#]*)/i.exec(filled) ?? [];
  const [path = '', search = ''] = rest.split('?');
  const listed = asList(asObject(url).query)
    .map(asObject)
    .filter(({ disabled }) => disabled !== true);
  const named = listed.length > 0 ? listed : search.split('&').map((pair) => ({ key: pair.split('=')[0] }));
  const query = named.flatMap((each: JsonObject) => {
    const key = asText(each.key);
    return key === ''
      ? []
      : [{ name: decodePercent(key), in: 'query', description: asText(each.description), schema: {} }];
  });
  const template = path.replace(/(?<=\/):([\w-]+)/g, '{$1}').replace(/\{\{([^{}]+)\}\}/g, '{$1}');
  const isWhole = /^[a-z]+:\/\//i.test(origin);
  return { origin: isWhole || origin === '' ? origin : `https://${origin}`, path: template || '/', query };
}

function fill(text: string, variables: ReadonlyMap<string, string>): string {
  let filled = text;
  // A value may contain another variable.
  for (let round = 0; round < 5; round++)
    filled = filled.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) => variables.get(name) || whole);
  return filled;
}

function listHeaders({ header }: JsonObject): JsonObject[] {
  return asList(header)
    .map(asObject)
    .flatMap(({ key, disabled, description }) => {
      const name = asText(key);
      return name === '' || disabled === true
        ? []
        : [{ name, in: 'header', description: asText(description), schema: { type: 'string' } }];
    });
}

function convertBody(body: JsonObject): { requestBody?: JsonObject } {
  const fields = (list: unknown) =>
    asList(list)
      .map(asObject)
      .filter(({ disabled }) => disabled !== true);
  switch (body.mode) {
    case 'raw': {
      const language = asText(asObject(asObject(body.options).raw).language);
      const text = asText(body.raw);
      const isJson = language === 'json' || (language === '' && /^\s*[{[]/.test(text));
      const type = isJson ? 'application/json' : language === 'xml' ? 'application/xml' : 'text/plain';
      return { requestBody: inferBody(type, text, []) };
    }
    case 'urlencoded':
      return {
        requestBody: inferBody(
          'application/x-www-form-urlencoded',
          '',
          fields(body.urlencoded).map(({ key }) => asText(key)),
        ),
      };
    case 'formdata': {
      const properties = fields(body.formdata).map(({ key, type }) => [
        asText(key),
        type === 'file' ? { type: 'string', format: 'binary' } : {},
      ]);
      return {
        requestBody: {
          content: {
            'multipart/form-data': { schema: { type: 'object', properties: Object.fromEntries(properties) } },
          },
        },
      };
    }
    case 'file':
      return {
        requestBody: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
      };
    case 'graphql': {
      const properties = { query: { type: 'string' }, variables: { type: 'object' } };
      return {
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties, required: ['query'] } } },
        },
      };
    }
    default:
      return {};
  }
}

/** The kind of authentication; its secrets are not read. */
function readAuth(auth: unknown): { id: string; scheme: JsonObject } | undefined {
  const { type, apikey } = asObject(auth);
  const settings = Array.isArray(apikey)
    ? Object.fromEntries(apikey.map((each) => [asObject(each).key, asObject(each).value]))
    : asObject(apikey);
  switch (type) {
    case 'apikey':
      return {
        id: 'apikey',
        scheme: {
          type: 'apiKey',
          in: settings.in === 'query' ? 'query' : 'header',
          name: asText(settings.key) || 'X-API-Key',
        },
      };
    case 'basic':
    case 'bearer':
      return { id: type, scheme: { type: 'http', scheme: type } };
    case 'oauth2':
      return { id: type, scheme: { type: 'oauth2', flows: {} } };
    default:
      return undefined;
  }
}
