// The schema of an operation's arguments, for a model: JSON Schema 2020-12 whose root is always an object, trimmed to a
// budget. Arguments are also checked against it, so where a schema is cut it accepts anything.
import { isObject, type JsonSchema } from '../../../core/schema.ts';
import type { Api } from './api.ts';
import { isJson } from './body.ts';
import type { JsonObject } from './document.ts';
import { type ApiOperation, type BodyContent, essenceOf } from './operation.ts';
import { SchemaWriter } from './schema-writer.ts';

/** About two thousand tokens. */
const mostCharacters = 8_000;
/** How deep references are followed, and how many schemas are described: as many as the budget allows. */
const extents = [6, 4, 3, 2, 1]
  .map((depth) => ({ depth, nodes: 2_000 }))
  .concat([200, 100, 50].map((nodes) => ({ depth: 1, nodes })));
const longestDescription = 400;

export function describeInput(api: Api, operation: ApiOperation, most = mostCharacters): JsonSchema {
  let schema: JsonSchema = {};
  for (const extent of extents) {
    schema = writeInput(operation, new SchemaWriter(api, extent));
    if (JSON.stringify(schema).length <= most) return schema;
  }
  return schema;
}

function writeInput({ parameters, body, graphql }: ApiOperation, writer: SchemaWriter): JsonSchema {
  const properties: [string, unknown][] = parameters.map(({ argument, schema, description }) => [
    argument,
    describe(writer.write(schema), description),
  ]);
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ argument }) => argument);
  if (body) {
    properties.push(['body', describe(writeBodySchema(body.contents, writer), body.description)]);
    if (body.isRequired) required.push('body');
    const types = body.contents.map(({ mediaType }) => mediaType);
    if (types.length > 1) properties.push(['_content_type', { enum: types, default: types[0] }]);
  }
  if (graphql && graphql.fields !== '') {
    const description = `Fields to return instead of ${graphql.fields}`.slice(0, longestDescription);
    properties.push(['_fields', { type: 'string', description }]);
  }
  const definitions = writer.definitions();
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

function describe(schema: JsonObject, description: string): JsonObject {
  const text = description.replace(/\s+/g, ' ').trim().slice(0, longestDescription);
  return text === '' ? schema : { ...schema, description: text };
}

function writeBodySchema(contents: readonly BodyContent[], writer: SchemaWriter): JsonObject {
  const schemas = contents.map((content) => writeContentSchema(content, writer));
  const [first = {}, ...others] = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

export const fileSchema: JsonObject = {
  type: 'object',
  description: 'A file: its path, or its content in base64',
  properties: {
    path: { type: 'string' },
    base64: { type: 'string' },
    name: { type: 'string' },
    type: { type: 'string', description: 'Media type' },
  },
  additionalProperties: false,
};

function writeContentSchema({ mediaType, schema }: BodyContent, writer: SchemaWriter): JsonObject {
  const type = essenceOf(mediaType);
  if (isJson(type) || type.includes('*') || /ndjson|jsonl|json-seq/.test(type)) return writer.write(schema);
  if (type === 'application/x-www-form-urlencoded') return writer.write(schema);
  if (type.startsWith('multipart/')) return writer.write(schema, fileSchema);
  if (type.startsWith('text/') || /\bxml$/.test(type)) return { type: 'string', description: `Text in ${mediaType}` };
  const written = writer.write(schema, fileSchema);
  const isText = isObject(written) && written.type === 'string';
  return isText ? { anyOf: [fileSchema, written] } : fileSchema;
}
