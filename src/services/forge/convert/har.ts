// Reads a HAR file, the requests that a browser recorded, as OpenAPI 3.1. Only the requests to the most frequent API are used;
// recorded cookies, headers and values are not, because they may be secrets.
import { asList, asObject, asText, type JsonObject } from '../openapi/document.ts';
import { inferBody } from './infer.ts';

export function isHar(value: JsonObject): boolean {
  return Array.isArray(asObject(value.log).entries);
}

/** Segments that are different for each object: numbers, UUIDs and long hexadecimal digits. */
const identifier = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,})$/i;
const apiType = /json|xml|x-www-form-urlencoded/;

export function convertHar(har: JsonObject): JsonObject {
  const entries = asList(asObject(har.log).entries).map(asObject);
  const requests = entries.flatMap(({ request, response }) => {
    const { method, url, postData } = asObject(request);
    const type = asText(asObject(asObject(response).content).mimeType);
    const body = asObject(postData);
    const isApi = apiType.test(type) || apiType.test(asText(body.mimeType));
    return isApi && URL.canParse(asText(url))
      ? [{ method: asText(method).toLowerCase(), url: new URL(asText(url)), body }]
      : [];
  });
  const server = mostFrequent(requests.map(({ url }) => url.origin));
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  for (const { method, url, body } of requests.filter((one) => one.url.origin === server)) {
    const path = templateOf(url.pathname);
    const item = paths[path] ?? {};
    const known = asList(item[method]?.parameters).map((one) => asText(asObject(one).name));
    const names = [...new Set([...known, ...url.searchParams.keys()])];
    const fields = asList(body.params).map((one) => asText(asObject(one).name));
    item[method] = {
      ...item[method],
      parameters: names.map((name) => ({ name, in: 'query', schema: {} })),
      ...(body.mimeType !== undefined && { requestBody: inferBody(asText(body.mimeType), asText(body.text), fields) }),
    };
    paths[path] = item;
  }
  return { openapi: '3.1.0', info: { title: server.replace(/^https?:\/\//, '') }, servers: [{ url: server }], paths };
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** `/users/17/posts/3` becomes `/users/{users_id}/posts/{posts_id}`. */
function templateOf(path: string): string {
  const segments = path.split('/');
  return segments
    .map((segment, at) =>
      identifier.test(segment) ? `{${(segments[at - 1] || 'item').replace(/[^\w]/g, '_')}_id}` : segment,
    )
    .join('/');
}
