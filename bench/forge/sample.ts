// Arguments for a schema, the same at every run: every property to a small depth, two items for an array.
import type { JsonSchema } from '../../src/core/schema.ts';

type Json = { [key: string]: unknown };

const deepest = 4;
const formats: Json = {
  date: '2024-05-06',
  'date-time': '2024-05-06T07:08:09Z',
  uuid: '0b3e8f0a-6c0e-4a59-9d5c-0a1b2c3d4e5f',
  email: 'a@example.com',
  uri: 'https://example.com/a?b=c',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

/** Undefined if no value can be made, as for a pattern. */
export function sample(schema: unknown, root: JsonSchema, depth = 0): unknown {
  const node = follow(schema as Json, root);
  if (node.const !== undefined) return node.const;
  if (Array.isArray(node.enum)) return node.enum.find((value) => value !== null && value !== '');
  const [choice] = [...list(node.anyOf), ...list(node.allOf)];
  if (choice !== undefined && node.properties === undefined) return sample(choice, root, depth);
  const type = [node.type].flat().find((one) => one !== 'null');
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return sampleNumber(node);
    case 'array': {
      const item = depth < deepest ? sample(node.items ?? { type: 'string' }, root, depth + 1) : undefined;
      return item === undefined
        ? undefined
        : Array(Math.max(2, Number(node.minItems ?? 0)))
            .fill(item)
            .slice(0, Number(node.maxItems ?? 9));
    }
    case 'object':
      return sampleObject(node, root, depth);
    default:
      return node.properties ? sampleObject(node, root, depth) : sampleText(node);
  }
}

function sampleObject(node: Json, root: JsonSchema, depth: number): unknown {
  const properties = Object.entries((node.properties ?? {}) as Json);
  const required = list(node.required);
  const made: Json = {};
  for (const [name, property] of properties.slice(0, 8)) {
    const value = depth < deepest ? sample(property, root, depth + 1) : undefined;
    if (value !== undefined) made[name] = value;
  }
  return required.every((name) => made[name as string] !== undefined) ? made : undefined;
}

function sampleNumber({ minimum, exclusiveMinimum, maximum }: Json): number {
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1));
  return maximum !== undefined && Number(maximum) < least
    ? Number(maximum)
    : Math.max(least, Math.min(7, Number(maximum ?? 7)));
}

function sampleText({ format, pattern, minLength, maxLength }: Json): string | undefined {
  if (pattern !== undefined) return undefined;
  const text = (formats[String(format)] as string | undefined) ?? 'a b/ü&c=d';
  return text.padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? 1_000));
}

function follow(schema: Json, root: JsonSchema): Json {
  const name = typeof schema?.$ref === 'string' ? schema.$ref.replace('#/$defs/', '') : undefined;
  return name === undefined ? (schema ?? {}) : follow((root.$defs as Json)[name] as Json, root);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
