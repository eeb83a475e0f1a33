// Types as they are written in Python, TypeScript and JSDoc, read as JSON Schema. A type that JSON has no value for is undefined,
// and a function with such a parameter is no tool.
import type { JsonSchema } from '../../../core/schema.ts';
import { readLiteral } from './syntax.ts';

/** Finds the schema of a type that the file declares. */
export type NamedTypes = (name: string) => JsonSchema | undefined;

const scalars: { readonly [name: string]: JsonSchema } = {
  str: { type: 'string' },
  string: { type: 'string' },
  Path: { type: 'string' },
  'pathlib.Path': { type: 'string' },
  datetime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  int: { type: 'integer' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  number: { type: 'number' },
  bool: { type: 'boolean' },
  boolean: { type: 'boolean' },
  None: { type: 'null' },
  null: { type: 'null' },
  undefined: { type: 'null' },
  Any: {},
  any: {},
  unknown: {},
  dict: { type: 'object' },
  Dict: { type: 'object' },
  object: { type: 'object' },
  Object: { type: 'object' },
  list: { type: 'array' },
  List: { type: 'array' },
  Array: { type: 'array' },
};
const lists = /^(?:list|List|Sequence|Iterable|tuple|Tuple|Array|ReadonlyArray)$/;
const maps = /^(?:dict|Dict|Mapping|Record|Object|object|Map)$/;
const wrappers = /^(?:Optional|Final|Annotated|Readonly|Required)$/;

export function readType(text: string, named: NamedTypes = () => undefined, depth = 0): JsonSchema | undefined {
  const plain = text
    .trim()
    .replace(/^(?:typing|t|collections\.abc)\./, '')
    .replace(/^readonly\s+/, '');
  if (plain === '' || depth > 6) return undefined;
  const inner = (part: string) => readType(part, named, depth + 1);
  if (/^[?]/.test(plain)) return nullable(inner(plain.slice(1)));
  if (/[=!]$/.test(plain)) return inner(plain.slice(0, -1));
  const union = split(plain, '|');
  if (union.length > 1) return unite(union.map(inner));
  if (isWrapped(plain, '(', ')')) return inner(plain.slice(1, -1));
  const literal = readLiteral(plain);
  if (literal !== undefined && literal !== null) return { enum: [literal] };
  if (Object.hasOwn(scalars, plain)) return scalars[plain];
  if (plain.endsWith('[]')) return listOf(inner(plain.slice(0, -2)));
  if (isWrapped(plain, '{', '}')) return readObject(plain.slice(1, -1), inner);
  const [, outer = '', open, parts = ''] = /^([\w.]+?)\.?([[<])([\s\S]*)[\]>]$/.exec(plain) ?? [];
  if (open === undefined) return named(plain);
  const given = split(parts, ',');
  if (outer === 'Literal') return unite(given.map((part) => ({ enum: [readLiteral(part)] })));
  if (outer === 'Union') return unite(given.map(inner));
  if (outer === 'Optional') return nullable(inner(given[0] ?? ''));
  if (wrappers.test(outer)) return inner(given[0] ?? '');
  if (lists.test(outer)) return given.length <= 1 || given[1] === '...' ? listOf(inner(given[0] ?? '')) : undefined;
  if (!maps.test(outer)) return undefined;
  const values = inner(given[1] ?? '');
  return values && { type: 'object', additionalProperties: values };
}

/** `a: string; b?: number` */
function readObject(text: string, inner: (part: string) => JsonSchema | undefined): JsonSchema | undefined {
  const entries = split(text.replaceAll('\n', ';').replace(/;+/g, ';'), ';').flatMap((part) => split(part, ','));
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const entry of entries.filter((part) => part.trim() !== '')) {
    const [, name = '', mark, type = ''] =
      /^\s*(?:readonly\s+)?["']?([\w$-]+)["']?\s*(\?)?\s*:\s*([\s\S]+)$/.exec(entry) ?? [];
    const schema = inner(type);
    if (name === '' || !schema) return undefined;
    properties[name] = schema;
    if (mark === undefined) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function listOf(items: JsonSchema | undefined): JsonSchema | undefined {
  return items && { type: 'array', items };
}

function nullable(schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema && unite([schema, { type: 'null' }]);
}

/** Alternatives: one list of values if all are literals, else each of them. */
function unite(parts: readonly (JsonSchema | undefined)[]): JsonSchema | undefined {
  if (parts.some((part) => part === undefined)) return undefined;
  const all = parts as { enum?: unknown[]; type?: unknown }[];
  if (all.every((part) => part.enum)) return { enum: all.flatMap((part) => part.enum as unknown[]) };
  if (all.every((part) => typeof part.type === 'string' && Object.keys(part).length === 1))
    return { type: [...new Set(all.map((part) => part.type as string))] };
  return all.length === 1 ? (all[0] as JsonSchema) : { anyOf: all };
}

function isWrapped(text: string, open: string, close: string): boolean {
  return text.startsWith(open) && text.endsWith(close) && split(text.slice(1, -1), '\0').length === 1;
}

/** Outside of brackets and quotes. */
function split(text: string, mark: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const one of text) {
    if (quote !== '') quote = one === quote ? '' : quote;
    else if (/["'`]/.test(one)) quote = one;
    else if (/[[<({]/.test(one)) depth++;
    else if (/[\]>)}]/.test(one)) depth--;
    if (one === mark && depth === 0 && quote === '') parts.push('');
    else parts[parts.length - 1] += one;
  }
  return parts.map((part) => part.trim()).filter((part, at) => part !== '' || at === 0);
}
