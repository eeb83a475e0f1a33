// Writes the body of a request in the media type that the document states.
import { LoreError } from '../../../core/error.ts';
import { isObject } from '../../../core/schema.ts';
import type { ProjectFile } from '../../../core/tool-provider.ts';
import { asList, asObject, type JsonObject } from './document.ts';
import { writeMultipart } from './multipart.ts';
import { type BodyContent, essenceOf, type PartEncoding } from './operation.ts';
import type { Resolver } from './resolver.ts';
import { writePairs } from './style.ts';

/** Reads a file that the caller named by its path. */
export type ReadFile = (path: string) => Promise<ProjectFile>;

export interface WrittenBody {
  mediaType: string;
  bytes: Uint8Array;
}

export async function writeBody(
  content: BodyContent,
  value: unknown,
  resolver: Resolver,
  readFile: ReadFile,
): Promise<WrittenBody> {
  const type = essenceOf(content.mediaType);
  const mediaType = /\*/.test(type) ? 'application/json' : content.mediaType;
  const send = (text: string): WrittenBody => ({ mediaType, bytes: Buffer.from(text) });
  if (/^application\/(?:x-ndjson|jsonl|json-seq|x-jsonlines)$|\+json-seq$/.test(type)) {
    return send(
      [value]
        .flat()
        .map((item) => `${JSON.stringify(item)}\n`)
        .join(''),
    );
  }
  if (isJson(type) || mediaType !== content.mediaType) return send(JSON.stringify(value));
  if (type === 'application/x-www-form-urlencoded' && isObject(value)) return send(writeForm(content, value));
  if (type.startsWith('multipart/') && isObject(value)) {
    return writeMultipart(content, value, { resolver, readFile });
  }
  const file = await readFileValue(value, readFile);
  if (file) return { mediaType, bytes: file.bytes };
  if (typeof value === 'string') {
    const isEncoded = isBase64(resolver.follow(content.schema)) && !type.startsWith('text/');
    return isEncoded ? { mediaType, bytes: Buffer.from(value, 'base64') } : send(value);
  }
  if (typeof value === 'object') {
    throw new LoreError('invalid_input', `Cannot write the body as "${content.mediaType}": it should be text`, {
      details: { path: 'arguments.body', expected: `text in ${content.mediaType}`, received: 'object' },
    });
  }
  return send(String(value));
}

export function isJson(type: string): boolean {
  return /^(?:application|text)\/(?:[\w.-]+\+)?json$|\+json$/.test(type);
}

function isBase64({ format, contentEncoding }: JsonObject): boolean {
  return format === 'byte' || format === 'base64' || contentEncoding === 'base64';
}

/** Characters that would end a value in a form. */
const endingForm = /[&=+]/;
const plainForm = { style: 'form', explode: true, allowReserved: false } as const;

function writeForm({ encoding }: BodyContent, value: JsonObject): string {
  const pairs = Object.entries(value).flatMap(([name, entry]) => {
    const { style, mediaType } = encoding[name] ?? ({} as Partial<PartEncoding>);
    if (style) return writePairs(name, entry, style, endingForm);
    // Without a style, each value has a media type: JSON for objects.
    const isText = mediaType === undefined ? !isObject(entry) : !isJson(essenceOf(mediaType));
    return writePairs(name, isText ? entry : JSON.stringify(entry), plainForm);
  });
  return pairs.join('&').replaceAll('%20', '+');
}

/** Binary content, which arguments give as a file. */
export function isBinary(schema: JsonObject): boolean {
  const { type, format, contentMediaType, contentEncoding } = schema;
  return type === 'file' || format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

const fileKeys = new Set(['path', 'base64', 'name', 'type']);

/** The file that a value `{path}` or `{base64, name, type}` stands for. */
export async function readFileValue(value: unknown, readFile: ReadFile): Promise<ProjectFile | undefined> {
  const { path, base64, name, type } = asObject(value);
  const isFile = typeof path === 'string' || typeof base64 === 'string';
  if (!isFile || !Object.keys(value as object).every((key) => fileKeys.has(key))) return undefined;
  const read =
    typeof path === 'string'
      ? await readFile(path)
      : { bytes: Buffer.from(base64 as string, 'base64'), name: 'file', type: 'application/octet-stream' };
  return { ...read, ...(typeof name === 'string' && { name }), ...(typeof type === 'string' && { type }) };
}

export function propertySchema(resolver: Resolver, schema: unknown, name: string): JsonObject {
  const whole = resolver.follow(schema);
  const own = asObject(whole.properties)[name];
  if (own !== undefined) return resolver.follow(own);
  for (const part of asList(whole.allOf)) {
    const found = propertySchema(resolver, part, name);
    if (Object.keys(found).length > 0) return found;
  }
  return {};
}
