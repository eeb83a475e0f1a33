// Writes schemas of a document as JSON Schema 2020-12: references become `$defs`, keywords of 2.0 and 3.0 are translated, and
// everything that a model does not need is dropped. Output is bounded, because a short document can describe endless types.
import { isObject } from '../../../core/schema.ts';
import type { Api } from './api.ts';
import { isBinary } from './body.ts';
import { asList, asObject, asText, type JsonObject } from './document.ts';
import { stepsOf } from './resolver.ts';

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const formats = new Set(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid']);
const limits = ['minimum', 'maximum'];
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const longestDescription = 120;
const longestPattern = 200;
const mostChoices = 100;

/** How deep references are followed, and how many schemas are visited. */
export interface SchemaExtent {
  depth: number;
  nodes: number;
}

export class SchemaWriter {
  readonly #api: Api;
  readonly #depth: number;
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, JsonObject>();
  #left: number;

  constructor(api: Api, { depth, nodes }: SchemaExtent) {
    this.#api = api;
    this.#depth = depth;
    this.#left = nodes;
  }

  definitions(): JsonObject {
    return Object.fromEntries(this.#definitions);
  }

  /** `file`: replaces binary content, which JSON cannot hold. */
  write(schema: unknown, file?: JsonObject, depth = 0): JsonObject {
    if (!isObject(schema) || --this.#left < 0) return {};
    if (typeof schema.$ref === 'string') return this.#writeReference(schema, schema.$ref, file, depth);
    if (file && isBinary(schema)) return file;
    const merged = this.#mergeParts(schema);
    const node = merged ?? schema;
    const written: JsonObject = { ...copyKeywords(node), ...this.#writeMembers(node, file, depth) };
    return nullableOf(node) ? allowNull(written) : written;
  }

  #follow(schema: unknown): JsonObject {
    try {
      return this.#api.resolver.follow(schema);
    } catch {
      return {};
    }
  }

  #writeReference(schema: JsonObject, reference: string, file: JsonObject | undefined, depth: number): JsonObject {
    const target = this.#follow(schema);
    const isSimple = !['properties', 'items', 'allOf', 'anyOf', 'oneOf', 'additionalProperties'].some(
      (key) => target[key] !== undefined,
    );
    if (isSimple) return this.write(target, file, depth);
    const key = `${reference} ${file !== undefined}`;
    const known = this.#names.get(key);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const title = stepsOf(reference).at(-1) ?? 'schema';
    if (depth >= this.#depth) return { description: `${title} (not shown)` };
    const name = this.#nameOf(title);
    this.#names.set(key, name);
    this.#definitions.set(name, {});
    this.#definitions.set(name, this.write(target, file, depth + 1));
    return { $ref: `#/$defs/${name}` };
  }

  #nameOf(title: string): string {
    const plain = title.replace(/[^\w.-]/g, '_').slice(0, 60) || 'schema';
    for (let name = plain, count = 2; ; name = `${plain}_${count++}`) if (!this.#definitions.has(name)) return name;
  }

  #writeMembers(node: JsonObject, file: JsonObject | undefined, depth: number): JsonObject {
    const members: JsonObject = {};
    const write = (schema: unknown) => this.write(schema, file, depth);
    if (isObject(node.properties)) {
      const own = Object.entries(node.properties).filter(([, property]) => this.#follow(property).readOnly !== true);
      members.properties = Object.fromEntries(own.map(([name, property]) => [name, write(property)]));
    }
    const hidden = asObject(node.properties);
    const required = asList(node.required).filter(
      (name) =>
        typeof name === 'string' && !(Object.hasOwn(hidden, name) && this.#follow(hidden[name]).readOnly === true),
    );
    if (required.length > 0) members.required = [...new Set(required)];
    if (isObject(node.additionalProperties)) members.additionalProperties = write(node.additionalProperties);
    else if (node.additionalProperties === false) members.additionalProperties = false;
    if (isObject(node.items)) members.items = write(node.items);
    if (Array.isArray(node.prefixItems) && node.prefixItems.length > 0)
      members.prefixItems = node.prefixItems.map(write);
    const all = asList(node.allOf);
    if (all.length > 0) members.allOf = all.map(write);
    // Branches of real documents overlap, so "exactly one" would refuse valid arguments.
    const choices = [...asList(node.oneOf), ...asList(node.anyOf)];
    if (choices.length > 0)
      members.anyOf = choices.map((choice) => tagBranch(node.discriminator, choice, write(choice)));
    return members;
  }

  /** The parts of `allOf` as one schema, if all are plain objects. */
  #mergeParts(schema: JsonObject): JsonObject | undefined {
    if (!Array.isArray(schema.allOf)) return undefined;
    const { allOf, ...own } = schema;
    const parts: JsonObject[] = [];
    const collect = (part: JsonObject): boolean => {
      if (
        --this.#left < 0 ||
        ['oneOf', 'anyOf', 'not', 'items', 'enum', 'additionalProperties'].some((key) => part[key])
      ) {
        return false;
      }
      if (part.type !== undefined && part.type !== 'object') return false;
      const { allOf: inner, ...rest } = part;
      return asList(inner).every((each) => collect(this.#follow(each))) && parts.push(rest) > 0;
    };
    if (!allOf.every((part) => collect(this.#follow(part))) || !collect(own)) return undefined;
    return {
      ...Object.assign({}, ...parts),
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => asObject(properties))),
      required: parts.flatMap(({ required }) => asList(required)),
    };
  }
}

function copyKeywords(node: JsonObject): JsonObject {
  const kept: JsonObject = {};
  const named = asList([node.type].flat()).filter((type) => types.has(String(type)));
  if (named.length > 0) kept.type = named.length === 1 ? named[0] : named;
  const description = asText(node.description).replace(/\s+/g, ' ').trim();
  if (description !== '') kept.description = shorten(description);
  const choices = asList(node.enum);
  if (choices.length > 0 && choices.length <= mostChoices) kept.enum = choices;
  if (node.const !== undefined) kept.const = node.const;
  if (['string', 'number', 'boolean'].includes(typeof node.default)) kept.default = node.default;
  if (formats.has(asText(node.format))) kept.format = node.format;
  for (const key of limits) if (typeof node[key] === 'number') kept[key] = node[key];
  for (const key of counts) if (Number.isInteger(node[key]) && (node[key] as number) >= 0) kept[key] = node[key];
  if (isPattern(node.pattern)) kept.pattern = node.pattern;
  if (node.uniqueItems === true) kept.uniqueItems = true;
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    // A flag of the limit before 3.1.
    if (typeof node[exclusive] === 'number') kept[exclusive] = node[exclusive];
    else if (node[exclusive] === true && kept[limit] !== undefined) {
      kept[exclusive] = kept[limit];
      delete kept[limit];
    }
  }
  return kept;
}

function shorten(text: string): string {
  return text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1)}…`;
}

function isPattern(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string' || pattern.length > longestPattern) return false;
  try {
    return new RegExp(pattern, 'u') !== undefined;
  } catch {
    return false;
  }
}

function nullableOf(node: JsonObject): boolean {
  return node.nullable === true || node['x-nullable'] === true;
}

function allowNull(schema: JsonObject): JsonObject {
  if (typeof schema.type !== 'string')
    return schema.anyOf || schema.allOf ? { anyOf: [schema, { type: 'null' }] } : schema;
  const choices = Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...choices };
}

/** States the value of the discriminator in its branch. */
function tagBranch(discriminator: unknown, branch: unknown, written: JsonObject): JsonObject {
  const { propertyName, mapping } = asObject(discriminator);
  const reference = asText(asObject(branch).$ref);
  if (typeof propertyName !== 'string' || reference === '') return written;
  const name = stepsOf(reference).at(-1) ?? '';
  const value = Object.entries(asObject(mapping)).find(([, target]) => target === reference || target === name)?.[0];
  return { ...written, properties: { [propertyName]: { const: value ?? name } }, required: [propertyName] };
}
