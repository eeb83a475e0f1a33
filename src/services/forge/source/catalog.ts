// What a search knows of an operation: its names, its words and its arguments on one line.
import type { Api } from '../openapi/api.ts';
import { asList, asObject, type JsonObject } from '../openapi/document.ts';
import type { ApiOperation } from '../openapi/operation.ts';
import type { CatalogEntry } from './source.ts';

const longestSummary = 200;
const longestDescription = 600;
const mostArguments = 12;
const mostProperties = 30;

/** Operations that cannot be read are left out; `skipped` counts them. */
export function buildCatalog(api: Api): { entries: CatalogEntry[]; skipped: number } {
  const keys = new Map([...api.keys].map(([key, name]) => [name, key]));
  const entries = api.names.flatMap((name) => {
    try {
      return describeOperation(api, api.operation(name), keys.get(name) as string);
    } catch {
      return [];
    }
  });
  return { entries, skipped: api.names.length - entries.length };
}

function describeOperation(api: Api, operation: ApiOperation, key: string): CatalogEntry {
  const { name, effect, parameters, body, isDeprecated } = operation;
  const properties = body ? listProperties(api, body.contents[0]?.schema) : [];
  const description = oneLine(operation.description, longestDescription);
  const named = [
    ...parameters.map(({ argument, isRequired }) => `${argument}${isRequired ? '*' : ''}`),
    ...(body ? [`body${body.isRequired ? '*' : ''}${properties.length > 0 ? ` {${shortList(properties)}}` : ''}`] : []),
  ];
  return {
    name,
    key,
    effect,
    summary: oneLine(operation.summary, longestSummary) || description.slice(0, longestSummary) || key,
    description,
    words: [...operation.tags, ...parameters.map(({ argument }) => argument), ...properties].join(' '),
    returns: listProperties(api, operation.responseSchema).join(' '),
    signature: `(${shortList(named)})`,
    isDeprecated,
  };
}

function shortList(names: readonly string[]): string {
  return `${names.slice(0, mostArguments).join(', ')}${names.length > mostArguments ? ', …' : ''}`;
}

/** Descriptions are Markdown, but many have these tags, which say nothing. */
const tags =
  /<\/?(?:a|b|blockquote|br|code|dd|div|dl|dt|em|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?\/?>/gi;

function oneLine(text: string, longest: number): string {
  return text.replace(tags, ' ').replace(/\s+/g, ' ').trim().slice(0, longest);
}

/** The names of the properties of an object, of its parts, and of the items of a list. */
function listProperties(api: Api, schema: unknown, depth = 0): string[] {
  const node: JsonObject = api.resolver.follow(schema);
  const required = new Set(asList(node.required));
  const own = Object.keys(asObject(node.properties)).map((name) => `${name}${required.has(name) ? '*' : ''}`);
  const parts = depth > 3 ? [] : [node.items, ...asList(node.allOf), ...asList(node.oneOf), ...asList(node.anyOf)];
  const all = [...own, ...parts.slice(0, 10).flatMap((part) => listProperties(api, part, depth + 1))];
  return [...new Set(all)].slice(0, mostProperties);
}
