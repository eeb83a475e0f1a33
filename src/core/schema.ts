// Typed schemas for our own tools: one declaration yields the TypeScript type, the JSON Schema that clients see and the
// check. Hand-rolled because a validation library on the start-up path costs more than the whole server.
import { LoreError } from './error.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Issue {
  path: string;
  expected: string;
  received: string;
}

export interface Schema<T> {
  readonly json: JsonSchema;
  /** Description of valid values. */
  readonly expected: string;
  /** The value may be absent. */
  readonly optional?: boolean;
  /** Prepares work that the first `read` would otherwise do. */
  warm?(): void;
  /** The validated value with defaults. Problems go to `issues`; the returned value is then meaningless. */
  read(value: unknown, path: string, issues: Issue[]): T;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

type Shape = { readonly [key: string]: Schema<unknown> };
type OptionalKeys<P extends Shape> = { [K in keyof P]: undefined extends Infer<P[K]> ? K : never }[keyof P];
type ObjectOf<P extends Shape> = { [K in Exclude<keyof P, OptionalKeys<P>>]: Infer<P[K]> } & {
  [K in OptionalKeys<P>]?: Infer<P[K]>;
};

export function string(options: { description?: string; min?: number; max?: number } = {}): Schema<string> {
  const { description, min = 0, max = Number.POSITIVE_INFINITY } = options;
  const expected = `string${inRange(options, ' of', ' characters')}`;
  return {
    expected,
    json: compact({ type: 'string', description, minLength: options.min, maxLength: options.max }),
    read(value, path, issues) {
      if (typeof value !== 'string') issues.push({ path, expected, received: nameOf(value) });
      else if (value.length < min || value.length > max) {
        issues.push({ path, expected, received: `${value.length} characters` });
      }
      return value as string;
    },
  };
}

type NumberOptions = { description?: string; min?: number; max?: number };

export function number(options: NumberOptions = {}): Schema<number> {
  return numeric('number', Number.isFinite, options);
}

export function integer(options: NumberOptions = {}): Schema<number> {
  return numeric('integer', Number.isSafeInteger, options);
}

function numeric(type: string, test: (value: number) => boolean, options: NumberOptions): Schema<number> {
  const { description, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options;
  const expected = `${type}${inRange(options, '', '')}`;
  return {
    expected,
    json: compact({ type, description, minimum: options.min, maximum: options.max }),
    read(value, path, issues) {
      if (typeof value !== 'number') issues.push({ path, expected, received: nameOf(value) });
      else if (!test(value) || value < min || value > max) issues.push({ path, expected, received: String(value) });
      return value as number;
    },
  };
}

export function boolean(options: { description?: string } = {}): Schema<boolean> {
  return {
    expected: 'boolean',
    json: compact({ type: 'boolean', description: options.description }),
    read(value, path, issues) {
      if (typeof value !== 'boolean') issues.push({ path, expected: 'boolean', received: nameOf(value) });
      return value as boolean;
    },
  };
}

export function oneOf<const V extends string>(values: readonly V[], options: { description?: string } = {}): Schema<V> {
  const expected = `one of ${values.join(', ')}`;
  return {
    expected,
    json: compact({ type: 'string', enum: values, description: options.description }),
    read(value, path, issues) {
      if (!values.includes(value as V)) {
        issues.push({ path, expected, received: typeof value === 'string' ? quote(value) : nameOf(value) });
      }
      return value as V;
    },
  };
}

interface ListOptions {
  description?: string;
  max?: number;
  /** A single text is read as a list of one. */
  lone?: boolean;
}

export function list<T>(item: Schema<T>, options: ListOptions = {}): Schema<T[]> {
  const { max = Number.POSITIVE_INFINITY, lone = false } = options;
  const expected = `array${inRange(options, ' of', ' items')}`;
  return {
    expected,
    json: compact({ type: 'array', items: item.json, description: options.description, maxItems: options.max }),
    read(given, path, issues) {
      const value = lone && typeof given === 'string' ? [given] : given;
      if (!Array.isArray(value)) {
        issues.push({ path, expected, received: nameOf(value) });
        return [];
      }
      if (value.length > max) issues.push({ path, expected, received: `${value.length} items` });
      return value.map((entry, index) => item.read(entry, `${path}[${index}]`, issues));
    },
  };
}

export function record<T>(item: Schema<T>, options: { description?: string } = {}): Schema<{ [key: string]: T }> {
  return {
    expected: 'object',
    json: compact({ type: 'object', additionalProperties: item.json, description: options.description }),
    read(value, path, issues) {
      if (!isObject(value)) {
        issues.push({ path, expected: 'object', received: nameOf(value) });
        return {};
      }
      const entries = Object.entries(value).map(([key, entry]) => [
        key,
        item.read(entry, `${path}.${shorten(key)}`, issues),
      ]);
      return Object.fromEntries(entries);
    },
  };
}

interface ObjectOptions<P> {
  description?: string;
  /** Other names for keys. They are accepted, but not listed: every listed name costs tokens. */
  aliases?: { readonly [alias: string]: keyof P & string };
}

/**
 * Closed: an unknown key is usually a typo, and an agent can only fix what the error reports. A declared name in the other
 * case, `caseSensitive` for `case_sensitive`, is no typo.
 */
export function object<const P extends Shape>(shape: P, options: ObjectOptions<P> = {}): Schema<ObjectOf<P>> {
  const entries = Object.entries(shape);
  let otherNames: Map<string, string> | undefined;
  const properties: { [key: string]: JsonSchema } = {};
  for (const [key, schema] of entries) properties[key] = schema.json;
  const required = entries.filter(([, schema]) => !schema.optional).map(([key]) => key);
  const known = entries.length === 0 ? 'no keys' : `only ${entries.map(([key]) => key).join(', ')}`;
  return {
    expected: 'object',
    json: compact({
      type: 'object',
      description: options.description,
      properties,
      required: required.length > 0 ? required : undefined,
      additionalProperties: false,
    }),
    read(value, path, issues) {
      if (!isObject(value)) {
        issues.push({ path, expected: 'object', received: nameOf(value) });
        return {} as ObjectOf<P>;
      }
      const before = issues.length;
      const result: { [key: string]: unknown } = {};
      let present = 0;
      for (const [key, schema] of entries) {
        const entry = Object.hasOwn(value, key) ? value[key] : undefined;
        if (entry !== undefined) {
          present++;
          result[key] = schema.read(entry, `${path}.${key}`, issues);
        } else if (schema.optional) {
          const fallback = schema.read(undefined, `${path}.${key}`, issues);
          if (fallback !== undefined) result[key] = fallback;
        } else {
          issues.push({ path: `${path}.${key}`, expected: schema.expected, received: 'nothing' });
        }
      }
      if (Object.keys(value).length > present) {
        const others = otherNames ?? listOtherNames(shape, options.aliases);
        otherNames = others;
        if (Object.keys(value).some((key) => others.has(key))) {
          issues.length = before;
          return this.read(useDeclaredNames(value, others, path, issues), path, issues);
        }
        for (const key of Object.keys(value)) {
          if (!Object.hasOwn(shape, key))
            issues.push({ path: `${path}.${shorten(key)}`, expected: known, received: quote(key) });
        }
      }
      return result as ObjectOf<P>;
    },
  };
}

function listOtherNames(shape: Shape, aliases: { readonly [alias: string]: string } = {}): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, key] of [...Object.keys(shape).map((key) => [key, key] as const), ...Object.entries(aliases)]) {
    const camelCase = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const snakeCase = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    for (const other of [name, camelCase, snakeCase]) if (!Object.hasOwn(shape, other)) names.set(other, key);
  }
  return names;
}

function useDeclaredNames(
  given: { [key: string]: unknown },
  otherNames: ReadonlyMap<string, string>,
  path: string,
  issues: Issue[],
): { [key: string]: unknown } {
  const named = new Map<string, unknown>();
  for (const [key, entry] of Object.entries(given)) {
    const name = otherNames.get(key) ?? key;
    if (named.has(name) && JSON.stringify(named.get(name)) !== JSON.stringify(entry)) {
      issues.push({ path: `${path}.${name}`, expected: 'one value', received: `another one under ${key}` });
    }
    named.set(name, entry);
  }
  return Object.fromEntries(named);
}

/** Any JSON value, passed on as it is. */
export function json(options: { description?: string } = {}): Schema<unknown> {
  return { expected: 'any value', json: compact({ description: options.description }), read: (value) => value };
}

export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return {
    ...schema,
    optional: true,
    read: (value, path, issues) => (value === undefined ? undefined : schema.read(value, path, issues)),
  };
}

export function withDefault<T>(schema: Schema<T>, fallback: T): Schema<T> {
  return {
    ...schema,
    optional: true,
    json: { ...schema.json, default: fallback },
    read: (value, path, issues) => (value === undefined ? fallback : schema.read(value, path, issues)),
  };
}

/** Most issues in a message. */
const mostIssues = 20;

/** The validated value, or one `invalid_input` error that names the invalid paths. */
export function check<T>(schema: Schema<T>, value: unknown, root: string, action: string): T {
  const issues: Issue[] = [];
  const result = schema.read(value, root, issues);
  const first = issues[0];
  if (!first) return result;
  const more = issues.length > 1 ? { issues: issues.slice(0, mostIssues) } : {};
  const { path, expected, received } = first;
  throw new LoreError('invalid_input', `Cannot ${action}: ${path} should be ${expected}, got ${received}`, {
    details: { path, expected, received, ...more },
  });
}

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function quote(value: string): string {
  return JSON.stringify(shorten(value));
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

function inRange({ min, max }: { min?: number; max?: number }, of: string, unit: string): string {
  if (min !== undefined && max !== undefined) return `${of} ${of ? '' : 'from '}${min} to ${max}${unit}`;
  if (min !== undefined) return `${of} at least ${min}${unit}`;
  return max === undefined ? '' : `${of} at most ${max}${unit}`;
}

function compact(json: { [keyword: string]: unknown }): JsonSchema {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}
