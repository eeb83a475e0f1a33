// The arguments of a pinned tool in the subset of JSON Schema that every client accepts: some model APIs refuse a whole list of
// tools because of one name, one reference or one union at the root.
import { isObject, type JsonSchema } from '../../../core/schema.ts';

export interface StrictInput {
  json: JsonSchema;
  /** The original names of the arguments that had to be renamed. */
  originals: ReadonlyMap<string, string>;
}

const validKey = /^[a-zA-Z0-9_.-]{1,64}$/;
const longestKey = 60;
const mostNodes = 1_000;
/** Not for validation, or not known to all clients. */
const dropped = new Set(['$schema', '$id', '$defs', 'definitions', '$anchor', '$comment', '$dynamicRef']);

export function makeStrict(schema: JsonSchema): StrictInput {
  const definitions = isObject(schema.$defs) ? schema.$defs : isObject(schema.definitions) ? schema.definitions : {};
  let nodes = 0;
  /** References are replaced by what they refer to; a type inside itself accepts anything. */
  const write = (value: unknown, above: readonly string[]): unknown => {
    if (++nodes > mostNodes) return {};
    if (Array.isArray(value)) return value.map((one) => write(one, above));
    if (!isObject(value)) return value;
    const reference =
      typeof value.$ref === 'string' ? value.$ref.replace(/^#\/(?:\$defs|definitions)\//, '') : undefined;
    if (reference !== undefined) {
      const { $ref: _, ...beside } = value;
      const target = Object.hasOwn(definitions, reference) ? definitions[reference] : undefined;
      if (!isObject(target) || above.includes(reference)) return isText(beside.description);
      return write({ ...target, ...beside }, [...above, reference]);
    }
    const members = Object.entries(value).filter(([key]) => !dropped.has(key));
    return Object.fromEntries(members.map(([key, one]) => [key, isData(key) ? one : write(one, above)]));
  };
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const names = new Map<string, string>();
  for (const [original] of properties) names.set(original, chooseKey(original, [...names.values()]));
  const required = (Array.isArray(schema.required) ? schema.required : []).flatMap((one) => names.get(one) ?? []);
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(
        properties.map(([original, one]) => [names.get(original), isObject(one) ? write(one, []) : {}]),
      ),
      ...(required.length > 0 && { required }),
      ...(schema.additionalProperties === false && { additionalProperties: false }),
    },
    originals: new Map(
      [...names].filter(([original, key]) => original !== key).map(([original, key]) => [key, original]),
    ),
  };
}

/** Values, in which nothing is a keyword. */
function isData(key: string): boolean {
  return key === 'default' || key === 'const' || key === 'enum' || key === 'examples';
}

function isText(description: unknown): JsonSchema {
  return typeof description === 'string' ? { description } : {};
}

function chooseKey(original: string, taken: readonly string[]): string {
  const plain = validKey.test(original)
    ? original
    : original
        .replace(/[^a-zA-Z0-9_.-]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, longestKey) || 'argument';
  if (!taken.includes(plain)) return plain;
  for (let number = 2; ; number++) if (!taken.includes(`${plain}_${number}`)) return `${plain}_${number}`;
}
