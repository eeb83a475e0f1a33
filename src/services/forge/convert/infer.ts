// A schema that fits an example, for formats that have examples instead of schemas.
import { isObject } from '../../../core/schema.ts';
import type { JsonObject } from '../openapi/document.ts';

const deepest = 6;

export function inferSchema(example: unknown, depth = 0): JsonObject {
  if (example === null || depth > deepest) return {};
  if (Array.isArray(example)) return { type: 'array', items: inferSchema(example[0] ?? null, depth + 1) };
  if (isObject(example)) {
    const properties = Object.entries(example).map(([name, value]) => [name, inferSchema(value, depth + 1)]);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  return { type: typeof example };
}

/** The body of a recorded request: JSON by its example, a form by its fields, or text. */
export function inferBody(mediaType: string, text: string, fields: readonly string[]): JsonObject {
  const type = mediaType.split(';')[0]?.trim() || 'application/json';
  const form = { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, {}])) };
  return { content: { [type]: { schema: fields.length > 0 ? form : inferText(type, text) } } };
}

function inferText(type: string, text: string): JsonObject {
  if (!/json/.test(type)) return { type: 'string' };
  try {
    return inferSchema(JSON.parse(text));
  } catch {
    return {};
  }
}
