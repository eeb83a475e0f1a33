// Writes values into paths, queries, headers and cookies, by the style table of OpenAPI 3.2 (RFC 6570). Where 3.0.3 and its
// successors differ, the later text applies: delimiters that a URL cannot contain are percent-encoded.
import type { Parameter, ParameterStyle, ValueStyle } from './operation.ts';

type Encode = (text: string) => string;

const delimiters: Partial<Record<ParameterStyle, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** Everything but the unreserved characters of RFC 3986. */
export function encodeText(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, escapeByte);
}

/** Half a surrogate pair cannot be encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Reserved characters and percent-encoded bytes stay, except those that would end the component. */
function encodeReserved(text: string, ending: RegExp): string {
  const pieces = wellFormed(text).split(/(%[0-9a-fA-F]{2}|[:/?@!$&'()*+,;=])/);
  return pieces.map((piece, at) => (at % 2 === 1 && !ending.test(piece) ? piece : encodeText(piece))).join('');
}

/** A value in a request; undefined if it is not sent. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isMap(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of an array; the names and values of an object, as `name=value` if exploded; or the value itself. */
function listTokens(value: unknown, explode: boolean, encode: Encode): string[] {
  if (!isMap(value))
    return [value]
      .flat()
      .flatMap((item) => textOf(item) ?? [])
      .map(encode);
  return Object.entries(value).flatMap(([name, entry]) => {
    const text = textOf(entry);
    if (text === undefined) return [];
    return explode ? `${encode(name)}=${encode(text)}` : [encode(name), encode(text)];
  });
}

/** Arrays within an array, which only 2.0 defines. */
export function joinInner(value: unknown, innerDelimiters: readonly string[]): unknown {
  if (!Array.isArray(value) || innerDelimiters.length === 0) return value;
  const [delimiter, ...deeper] = innerDelimiters;
  return value.map((item) => (Array.isArray(item) ? [joinInner(item, deeper)].flat().join(delimiter) : item));
}

export function writePath({ name, style, explode, allowReserved }: Parameter, value: unknown): string {
  const encode: Encode = allowReserved ? (text) => encodeReserved(text, /[/?]/) : encodeText;
  const tokens = listTokens(value, explode, encode);
  if (style === 'label') return `.${tokens.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return tokens.join(encodeText(delimiters[style] ?? '').trim() || ',');
  if (explode && typeof value === 'object') {
    return tokens.map((token) => (Array.isArray(value) ? `;${encodeText(name)}=${token}` : `;${token}`)).join('');
  }
  const joined = tokens.join(',');
  return `;${encodeText(name)}${joined === '' ? '' : `=${joined}`}`;
}

/** The pairs of a query or a form, percent-encoded. An empty array or object has none. */
export function writePairs(
  name: string,
  value: unknown,
  { style, explode, allowReserved }: ValueStyle,
  ending = /(?!)/,
): string[] {
  const encode: Encode = allowReserved ? (text) => encodeReserved(text, ending) : encodeText;
  if (style === 'deepObject') return [...listDeep(name, value, encode)];
  const tokens = listTokens(value, explode, encode);
  const key = encodeText(name);
  if (tokens.length === 0) return [];
  if (explode && isMap(value)) return tokens;
  if (explode) return tokens.map((token) => `${key}=${token}`);
  return [`${key}=${tokens.join(encodeText(delimiters[style] ?? '') || ',')}`];
}

/** OpenAPI defines one level. Deeper ones follow the same pattern, as servers that parse brackets expect. */
function* listDeep(name: string, value: unknown, encode: Encode): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* listDeep(name, isMap(item) ? item : textOf(item), encode);
  else if (isMap(value))
    for (const [key, entry] of Object.entries(value)) yield* listDeep(`${name}[${key}]`, entry, encode);
  else {
    const text = textOf(value);
    if (text !== undefined) yield `${encodeText(name)}=${encode(text)}`;
  }
}

/** Headers are not percent-encoded. */
export function writeHeader({ style, explode }: Parameter, value: unknown): string {
  return listTokens(value, explode, (text) => text).join(delimiters[style] ?? ',');
}

/** Each is one cookie. With the style `cookie` of 3.2 the value is not encoded. */
export function writeCookies(parameter: Parameter, value: unknown): string[] {
  if (parameter.style !== 'cookie') return writePairs(parameter.name, value, parameter);
  const tokens = listTokens(value, parameter.explode, (text) => text);
  if (parameter.explode && isMap(value)) return tokens;
  if (parameter.explode) return tokens.map((token) => `${parameter.name}=${token}`);
  return tokens.length === 0 ? [] : [`${parameter.name}=${tokens.join(',')}`];
}
