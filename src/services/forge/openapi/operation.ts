// An operation as the rest of the forge sees it, whichever version its document has.
import type { Effect } from '../../../core/tool.ts';
import type { GraphqlCall } from '../graphql/convert.ts';
import type { SecurityAlternative } from './security.ts';

export interface ApiOperation {
  readonly name: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly effect: Effect;
  readonly isDeprecated: boolean;
  /** The servers of this operation, the preferred one first. */
  readonly servers: readonly ApiServer[];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** Any one of them is enough. Without one, no credentials are sent. */
  readonly security: readonly SecurityAlternative[];
  /** Media types of successful responses. */
  readonly responseTypes: readonly string[];
  /** The schema of the first of them. */
  readonly responseSchema: unknown;
  /** The body has the variables of this query. */
  readonly graphql: GraphqlCall | undefined;
}

export interface ApiServer {
  /** May contain `{variables}`, and may be relative to the document. */
  readonly url: string;
  /** Default values. */
  readonly variables: { readonly [name: string]: string };
}

export const parameterPlaces = ['path', 'query', 'querystring', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof parameterPlaces)[number];

export const parameterStyles = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
  'cookie',
] as const;
/** `tabDelimited` is the collection format `tsv` of 2.0. */
export type ParameterStyle = (typeof parameterStyles)[number];

/** How a value is written in a request. */
export interface ValueStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export interface Parameter extends ValueStyle {
  /** The name in the request. */
  readonly name: string;
  /** The name in the arguments, which differs if two places have a parameter of the same name. */
  readonly argument: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: unknown;
  /** The value is written in this media type instead of a style. */
  readonly mediaType: string | undefined;
  /** The delimiters of arrays within an array, by level; only in 2.0. */
  readonly innerDelimiters: readonly string[];
}

export interface RequestBody {
  readonly isRequired: boolean;
  readonly description: string;
  /** One for each media type, the preferred one first. */
  readonly contents: readonly BodyContent[];
}

export interface BodyContent {
  readonly mediaType: string;
  readonly schema: unknown;
  /** Of the properties of a form. */
  readonly encoding: { readonly [property: string]: PartEncoding };
}

export interface PartEncoding {
  readonly mediaType: string | undefined;
  /** Fixed headers of a part. */
  readonly headers: { readonly [name: string]: string };
  /** Set if the document states how the value is written. */
  readonly style: ValueStyle | undefined;
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE']);
export const destroying = /(?:^|_)(?:delete|destroy|purge|revoke|erase|wipe|drop)(?:_|$)/;

export function effectOf(method: string, name: string): Effect {
  if (reading.has(method)) return 'read';
  return method === 'DELETE' || destroying.test(name) ? 'destroy' : 'write';
}

/** The order in which media types of a body are offered. */
const preferred = [
  /^application\/json$/i,
  /\+json$|^\*\/\*$|^application\/\*$/i,
  /^application\/x-www-form-urlencoded$/i,
  /^multipart\//i,
  /^text\//i,
];

export function sortContents(contents: readonly BodyContent[]): BodyContent[] {
  const rank = ({ mediaType }: BodyContent) => {
    const at = preferred.findIndex((pattern) => pattern.test(essenceOf(mediaType)));
    return at < 0 ? preferred.length : at;
  };
  return [...contents].sort((a, b) => rank(a) - rank(b));
}

/** A media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] as string).trim().toLowerCase();
}

/** Gives each parameter the name of its argument: `id`, or `id_path` and `id_query` if both exist. */
export function nameArguments(
  parameters: readonly Omit<Parameter, 'argument'>[],
  reserved: readonly string[],
): Parameter[] {
  const counts = new Map<string, number>(reserved.map((name) => [name, 1]));
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1);
  return parameters.map((parameter) => {
    const { name } = parameter;
    return { ...parameter, argument: counts.get(name) === 1 ? name : `${name}_${parameter.in}` };
  });
}
