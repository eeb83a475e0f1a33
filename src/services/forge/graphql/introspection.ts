// Reads the result of a GraphQL introspection.
import { asList, asObject, asText, type JsonObject } from '../openapi/document.ts';
import type { GraphqlField, GraphqlInput, GraphqlSchema, GraphqlType } from './schema.ts';

const kinds: { readonly [kind: string]: GraphqlType['kind'] } = {
  SCALAR: 'scalar',
  OBJECT: 'object',
  INTERFACE: 'interface',
  UNION: 'union',
  ENUM: 'enum',
  INPUT_OBJECT: 'input',
};

const typeOf =
  'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }';
const inputs = `name description defaultValue type { ${typeOf} }`;

export const introspectionQuery = `query { __schema { queryType { name } mutationType { name } types { kind name description fields(includeDeprecated: true) { name description isDeprecated args { ${inputs} } type { ${typeOf} } } inputFields { ${inputs} } enumValues { name } possibleTypes { name } } } }`;

/** The part of a response, or of a file, that describes the schema. */
export function findIntrospection(value: JsonObject): JsonObject | undefined {
  const schema = asObject(asObject(value.data).__schema ?? value.__schema);
  return Array.isArray(schema.types) ? schema : undefined;
}

export function readIntrospection(schema: JsonObject): GraphqlSchema {
  const types = asList(schema.types)
    .map(asObject)
    .flatMap((type): GraphqlType[] => {
      const kind = kinds[asText(type.kind)];
      if (!kind) return [];
      const names = kind === 'enum' ? type.enumValues : type.possibleTypes;
      return [
        {
          name: asText(type.name),
          kind,
          description: asText(type.description),
          fields: asList(type.fields).map(readField),
          inputs: asList(type.inputFields).map(readInput),
          names: asList(names).map((one) => asText(asObject(one).name)),
        },
      ];
    });
  return {
    types: new Map(types.map((type) => [type.name, type])),
    query: asText(asObject(schema.queryType).name),
    mutation: asText(asObject(schema.mutationType).name),
  };
}

function readField(value: unknown): GraphqlField {
  const { name, description, args, type, isDeprecated } = asObject(value);
  return {
    name: asText(name),
    description: asText(description),
    args: asList(args).map(readInput),
    type: writeType(asObject(type)),
    isDeprecated: isDeprecated === true,
  };
}

function readInput(value: unknown): GraphqlInput {
  const { name, description, type, defaultValue } = asObject(value);
  return {
    name: asText(name),
    description: asText(description),
    type: writeType(asObject(type)),
    hasDefault: typeof defaultValue === 'string',
  };
}

function writeType({ kind, name, ofType }: JsonObject, depth = 0): string {
  if (depth > 10) return 'String';
  if (kind === 'NON_NULL') return `${writeType(asObject(ofType), depth + 1)}!`;
  return kind === 'LIST' ? `[${writeType(asObject(ofType), depth + 1)}]` : asText(name);
}
