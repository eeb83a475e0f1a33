// Reads a Google API discovery document as OpenAPI 3.1.
import { asList, asObject, asText, type JsonObject } from '../openapi/document.ts';

export function isDiscovery(value: JsonObject): boolean {
  return typeof value.discoveryVersion === 'string' && typeof value.rootUrl === 'string';
}

export function convertDiscovery(api: JsonObject): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  for (const method of listMethods(api)) {
    const path = `/${pathOf(method)}`;
    const item = paths[path] ?? {};
    item[asText(method.httpMethod).toLowerCase()] = convertMethod(method);
    paths[path] = item;
  }
  return {
    openapi: '3.1.0',
    info: { title: asText(api.title) || asText(api.name), version: asText(api.version) },
    servers: [{ url: `${asText(api.rootUrl)}${asText(api.servicePath)}` }],
    security: [{ oauth2: [] }, { key: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(asObject(api.schemas)).map(([name, schema]) => [name, convertSchema(schema)]),
      ),
      securitySchemes: {
        oauth2: { type: 'oauth2', flows: {} },
        key: { type: 'apiKey', in: 'query', name: 'key' },
      },
    },
  };
}

function listMethods(node: JsonObject): JsonObject[] {
  const resources = Object.values(asObject(node.resources)).flatMap((resource) => listMethods(asObject(resource)));
  return [...Object.values(asObject(node.methods)).map(asObject), ...resources];
}

/** A parameter `{+name}` may contain slashes; the flat path has one parameter for each segment instead. */
function pathOf({ path, flatPath }: JsonObject): string {
  const flat = asText(flatPath);
  return /\{\+/.test(asText(path)) && flat !== '' ? flat : asText(path).replaceAll('{+', '{');
}

function convertMethod(method: JsonObject): JsonObject {
  const path = pathOf(method);
  const parameters = Object.entries(asObject(method.parameters)).flatMap(([name, value]) => {
    const parameter = asObject(value);
    const place = parameter.location === 'path' ? 'path' : 'query';
    if (place === 'path' && !path.includes(`{${name}}`)) return [];
    const schema = convertSchema(parameter);
    return {
      name,
      in: place,
      required: parameter.required === true,
      description: asText(parameter.description),
      schema: parameter.repeated === true ? { type: 'array', items: schema } : schema,
    };
  });
  const { request, response } = method;
  return {
    operationId: asText(method.id),
    description: asText(method.description),
    parameters,
    ...(request !== undefined && { requestBody: { content: json(request) } }),
    responses: { 200: response === undefined ? {} : { content: json(response) } },
  };
}

function json(schema: unknown): JsonObject {
  return { 'application/json': { schema: convertSchema(schema) } };
}

function convertSchema(value: unknown): JsonObject {
  const {
    $ref,
    type,
    format,
    description,
    enum: choices,
    properties,
    items,
    additionalProperties,
    readOnly,
    pattern,
  } = asObject(value);
  if (typeof $ref === 'string') return { $ref: `#/components/schemas/${$ref}` };
  return {
    ...(type !== 'any' && { type }),
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
    ...(asList(choices).length > 0 && { enum: choices }),
    ...(pattern !== undefined && { pattern }),
    ...(readOnly === true && { readOnly }),
    ...(items !== undefined && { items: convertSchema(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: convertSchema(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(asObject(properties)).map(([name, schema]) => [name, convertSchema(schema)]),
      ),
    }),
  };
}
