// Reads an operation of Swagger 2.0 as if it were of 3.0: body and form parameters become a request body, and collection
// formats become styles. The document itself is not converted.
import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import { listSuccesses, mergeParameters, type VersionParts } from './openapi3.ts';
import {
  type BodyContent,
  nameArguments,
  type Parameter,
  type ParameterPlace,
  type PartEncoding,
  type RequestBody,
  sortContents,
  type ValueStyle,
} from './operation.ts';
import type { Resolver } from './resolver.ts';

/** The rest of a parameter describes its value. */
const ownFields = new Set(['name', 'in', 'required', 'allowEmptyValue', 'collectionFormat']);
const delimiters: Record<string, string> = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' };
const urlencoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data';

export function readSwagger2(
  { root, address }: ApiDocument,
  resolver: Resolver,
  item: JsonObject,
  operation: JsonObject,
): VersionParts {
  const nodes = mergeParameters(resolver, item.parameters, operation.parameters);
  const consumes = asList(operation.consumes ?? root.consumes).map(String);
  const body = readBody(nodes, consumes);
  const own = nodes.flatMap((node) => readParameter(node) ?? []);
  return {
    servers: listServers(root, operation, address).map((url) => ({ url, variables: {} })),
    parameters: nameArguments(own, body ? ['body', ...(body.contents.length > 1 ? ['_content_type'] : [])] : []),
    body,
    responseTypes: asList(operation.produces ?? root.produces).map(String),
    responseSchema: listSuccesses(resolver, operation.responses)[0]?.schema,
  };
}

function listServers(root: JsonObject, operation: JsonObject, address: string): string[] {
  const schemes = asList(operation.schemes ?? root.schemes).map(String);
  const usable = ['https', 'http'].filter((scheme) => schemes.includes(scheme));
  const host = asText(root.host);
  const path = asText(root.basePath).replace(/^(?!\/|$)/, '/');
  if (host === '') return [path || '/'];
  const [fallback] = /^https?(?=:)/.exec(address) ?? ['https'];
  return (usable.length > 0 ? usable : [fallback]).map((scheme) => `${scheme}://${host}${path}`);
}

function readParameter(node: JsonObject): Omit<Parameter, 'argument'> | undefined {
  const { in: place, name } = node;
  if ((place !== 'path' && place !== 'query' && place !== 'header') || asText(name) === '') return undefined;
  return {
    name: asText(name),
    in: place,
    isRequired: place === 'path' || node.required === true,
    description: asText(node.description),
    schema: schemaOf(node),
    mediaType: undefined,
    innerDelimiters: listInnerDelimiters(asObject(node.items)),
    ...styleOf(node, place),
  };
}

function listInnerDelimiters(items: JsonObject): string[] {
  if (items.type !== 'array') return [];
  const delimiter = delimiters[String(items.collectionFormat ?? 'csv')] ?? ',';
  return [delimiter, ...listInnerDelimiters(asObject(items.items))];
}

function schemaOf(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !ownFields.has(key)));
}

function styleOf({ collectionFormat }: JsonObject, place: ParameterPlace | 'formData'): ValueStyle {
  const isQuery = place === 'query' || place === 'formData';
  const plain: ValueStyle = { style: isQuery ? 'form' : 'simple', explode: false, allowReserved: false };
  switch (collectionFormat) {
    case 'multi':
      return { ...plain, explode: isQuery };
    case 'ssv':
      return { ...plain, style: 'spaceDelimited' };
    case 'tsv':
      return { ...plain, style: 'tabDelimited' };
    case 'pipes':
      return { ...plain, style: 'pipeDelimited' };
    default:
      return plain;
  }
}

function readBody(nodes: readonly JsonObject[], consumes: readonly string[]): RequestBody | undefined {
  const whole = nodes.find((node) => node.in === 'body');
  if (whole) {
    const types = consumes.length > 0 ? consumes : ['application/json'];
    return {
      isRequired: whole.required === true,
      description: asText(whole.description),
      contents: sortContents(types.map((mediaType) => ({ mediaType, schema: whole.schema ?? {}, encoding: {} }))),
    };
  }
  const fields = nodes.filter((node) => node.in === 'formData' && asText(node.name) !== '');
  if (fields.length === 0) return undefined;
  const required = fields.filter((node) => node.required === true).map((node) => asText(node.name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((node) => [asText(node.name), schemaOf(node)])),
    ...(required.length > 0 && { required }),
  };
  const encoding = Object.fromEntries(
    fields.filter(({ type }) => type === 'array').map((node) => [asText(node.name), encodingOf(node)]),
  );
  const hasFile = fields.some(({ type }) => type === 'file');
  const forms = consumes.filter((type) => type === multipart || (type === urlencoded && !hasFile));
  const types = forms.length > 0 ? forms : [hasFile ? multipart : urlencoded];
  return {
    isRequired: required.length > 0,
    description: '',
    contents: sortContents(types.map((mediaType): BodyContent => ({ mediaType, schema, encoding }))),
  };
}

function encodingOf(node: JsonObject): PartEncoding {
  return { mediaType: undefined, headers: {}, style: styleOf(node, 'formData') };
}
