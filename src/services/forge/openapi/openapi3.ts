// Reads an operation of OpenAPI 3.0, 3.1 and 3.2.
import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import {
  type ApiOperation,
  type ApiServer,
  type BodyContent,
  nameArguments,
  type Parameter,
  type ParameterPlace,
  type ParameterStyle,
  type PartEncoding,
  parameterPlaces,
  parameterStyles,
  type RequestBody,
  sortContents,
  type ValueStyle,
} from './operation.ts';
import type { Resolver } from './resolver.ts';

/** The parts of an operation that depend on the version. */
export type VersionParts = Pick<ApiOperation, 'servers' | 'parameters' | 'body' | 'responseTypes' | 'responseSchema'>;

/** The request sets these itself. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);
const defaultStyle: Record<ParameterPlace, ParameterStyle> = {
  path: 'simple',
  query: 'form',
  querystring: 'form',
  header: 'simple',
  cookie: 'form',
};

export function readOpenApi3(
  { root }: ApiDocument,
  resolver: Resolver,
  item: JsonObject,
  operation: JsonObject,
): VersionParts {
  const body = readBody(resolver, operation.requestBody);
  const own = mergeParameters(resolver, item.parameters, operation.parameters).flatMap((node) => {
    const parameter = readParameter(resolver, node);
    return parameter && !(parameter.in === 'header' && ignoredHeaders.has(parameter.name.toLowerCase()))
      ? parameter
      : [];
  });
  const servers = [operation.servers, item.servers, root.servers].map(asList).find((list) => list.length > 0) ?? [];
  const reserved = body ? ['body', ...(body.contents.length > 1 ? ['_content_type'] : [])] : [];
  return {
    servers: servers.map(readServer),
    parameters: nameArguments(own, reserved),
    body,
    ...readResponses(resolver, operation.responses),
  };
}

/** Those of the operation replace those of the path. */
export function mergeParameters(resolver: Resolver, ofPath: unknown, ofOperation: unknown): JsonObject[] {
  const merged = new Map<string, JsonObject>();
  for (const node of [...asList(ofPath), ...asList(ofOperation)]) {
    const parameter = resolver.follow(node);
    merged.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...merged.values()];
}

function readParameter(resolver: Resolver, node: JsonObject): Omit<Parameter, 'argument'> | undefined {
  const place = parameterPlaces.find((known) => known === node.in);
  const name = asText(node.name);
  if (!place || (name === '' && place !== 'querystring')) return undefined;
  const [content] = Object.entries(asObject(node.content));
  return {
    name: name || 'querystring',
    in: place,
    isRequired: place === 'path' || node.required === true,
    description: asText(node.description),
    schema: content ? resolver.follow(content[1]).schema : node.schema,
    mediaType: content?.[0],
    innerDelimiters: [],
    ...readStyle(node, defaultStyle[place]),
  };
}

function readStyle(node: JsonObject, fallback: ParameterStyle): ValueStyle {
  const style = parameterStyles.find((known) => known === node.style) ?? fallback;
  const explode = typeof node.explode === 'boolean' ? node.explode : style === 'form' || style === 'cookie';
  return { style, explode, allowReserved: node.allowReserved === true };
}

function readServer(node: unknown): ApiServer {
  const { url, variables } = asObject(node);
  const values = Object.entries(asObject(variables)).map(([name, variable]) => {
    const { default: fallback, enum: values } = asObject(variable);
    return [name, String(fallback ?? asList(values)[0] ?? '')];
  });
  return { url: asText(url), variables: Object.fromEntries(values) };
}

function readBody(resolver: Resolver, node: unknown): RequestBody | undefined {
  if (node === undefined) return undefined;
  const { content, required, description } = resolver.follow(node);
  const contents = Object.entries(asObject(content)).map(([mediaType, value]): BodyContent => {
    const { schema, itemSchema, encoding } = resolver.follow(value);
    return {
      mediaType,
      schema: schema ?? (itemSchema === undefined ? {} : { type: 'array', items: itemSchema }),
      encoding: Object.fromEntries(
        Object.entries(asObject(encoding)).map(([property, part]) => [property, readEncoding(resolver, part)]),
      ),
    };
  });
  if (contents.length === 0) return undefined;
  return { isRequired: required === true, description: asText(description), contents: sortContents(contents) };
}

function readEncoding(resolver: Resolver, node: unknown): PartEncoding {
  const part = asObject(node);
  const isStyled = part.style !== undefined || part.explode !== undefined || part.allowReserved !== undefined;
  const headers = Object.entries(asObject(part.headers)).flatMap(([name, header]) => {
    const value = fixedValue(resolver, resolver.follow(header));
    return value === undefined || name.toLowerCase() === 'content-type' ? [] : [[name, value]];
  });
  return {
    mediaType: asText(part.contentType).split(',')[0]?.trim() || undefined,
    headers: Object.fromEntries(headers),
    style: isStyled ? readStyle(part, 'form') : undefined,
  };
}

/** A header of a part is no argument, so it is sent only if the document states its value. */
function fixedValue(resolver: Resolver, header: JsonObject): string | undefined {
  const schema = resolver.follow(header.schema);
  const [only, ...others] = asList(schema.enum);
  const value = schema.const ?? schema.default ?? (others.length === 0 ? only : undefined) ?? header.example;
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

function readResponses(resolver: Resolver, responses: unknown): Pick<VersionParts, 'responseTypes' | 'responseSchema'> {
  const contents = listSuccesses(resolver, responses).flatMap(({ content }) => Object.entries(asObject(content)));
  const schemas = contents.map(([, media]) => resolver.follow(media).schema);
  return { responseTypes: [...new Set(contents.map(([type]) => type))], responseSchema: schemas[0] };
}

export function listSuccesses(resolver: Resolver, responses: unknown): JsonObject[] {
  const successes = Object.entries(asObject(responses)).filter(([status]) => /^(?:2|default)/.test(status));
  return successes.map(([, response]) => resolver.follow(response));
}
