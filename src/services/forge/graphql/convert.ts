// Makes a GraphQL schema a document of the forge: each field of the query and mutation types is an operation whose body has
// the variables. Subscriptions are left out.
import type { Effect } from '../../../core/tool.ts';
import type { JsonObject } from '../openapi/document.ts';
import { effectOf } from '../openapi/operation.ts';
import { type GraphqlField, type GraphqlInput, type GraphqlSchema, isNeeded, namedType } from './schema.ts';
import { FieldSelector } from './select.ts';

/** The parts of a query: `start`, the selected fields in braces, `}`. */
export interface GraphqlCall {
  start: string;
  fields: string;
  effect: Effect;
}

export function convertGraphql(schema: GraphqlSchema, title: string, endpoint: string): JsonObject {
  const paths: JsonObject = {};
  const calls: { [key: string]: GraphqlCall } = {};
  for (const word of ['query', 'mutation'] as const) {
    for (const field of schema.types.get(schema[word])?.fields ?? []) {
      const path = `#${word}.${field.name}`;
      paths[path] = { post: convertField(field) };
      const effect = word === 'query' ? 'read' : effectOf('POST', snakeCase(field.name));
      const fields = new FieldSelector(schema).select(field.type);
      calls[`post ${path}`] = {
        start: `${word}${variables(field.args)} { ${field.name}${given(field.args)}`,
        fields,
        effect,
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title },
    servers: [{ url: endpoint }],
    security: [{ token: [] }, {}],
    paths,
    components: { schemas: listSchemas(schema), securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    'x-forge': calls,
  };
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

function convertField({ name, description, args, isDeprecated, type }: GraphqlField): JsonObject {
  const body = { required: args.some(isNeeded), content: { 'application/json': { schema: inputSchema(args) } } };
  return {
    operationId: name,
    summary: description.split('\n')[0] || `${name}: ${type}`,
    description,
    deprecated: isDeprecated,
    ...(args.length > 0 && { requestBody: body }),
  };
}

/** A page has ten items unless the caller says otherwise. */
function variables(args: readonly GraphqlInput[]): string {
  if (args.length === 0) return '';
  return `(${args.map(({ name, type }) => `$${name}: ${type}${name === 'first' && type === 'Int' ? ' = 10' : ''}`).join(', ')})`;
}

function given(args: readonly GraphqlInput[]): string {
  return args.length === 0 ? '' : `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})`;
}

function listSchemas({ types }: GraphqlSchema): JsonObject {
  const used = [...types.values()].filter(({ kind }) => kind === 'input' || kind === 'enum');
  return Object.fromEntries(
    used.map(({ name, kind, names, inputs }) => [
      name,
      kind === 'enum' ? { type: 'string', enum: names } : inputSchema(inputs),
    ]),
  );
}

function inputSchema(inputs: readonly GraphqlInput[]): JsonObject {
  const required = inputs.filter(isNeeded).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      inputs.map(({ name, type, description }) => [name, describe(typeSchema(type), description)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function describe(schema: JsonObject, description: string): JsonObject {
  return description === '' || schema.$ref !== undefined ? schema : { ...schema, description };
}

const scalars: { readonly [name: string]: JsonObject } = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: ['string', 'integer'] },
};

function typeSchema(type: string): JsonObject {
  const bare = type.replace(/!$/, '');
  if (bare.startsWith('[')) return { type: 'array', items: typeSchema(bare.slice(1, -1)) };
  return scalars[bare] ?? { $ref: `#/components/schemas/${namedType(bare)}` };
}
