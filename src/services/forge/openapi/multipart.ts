// Writes a multipart body: one part for each property, and one for each item of an array.
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { isBinary, propertySchema, type ReadFile, readFileValue, type WrittenBody } from './body.ts';
import type { JsonObject } from './document.ts';
import type { BodyContent, PartEncoding } from './operation.ts';
import type { Resolver } from './resolver.ts';

interface MultipartOptions {
  resolver: Resolver;
  readFile: ReadFile;
}

interface Part {
  name: string;
  bytes: Uint8Array;
  headers: [name: string, value: string][];
}

export async function writeMultipart(
  content: BodyContent,
  value: JsonObject,
  { resolver, readFile }: MultipartOptions,
): Promise<WrittenBody> {
  const parts: Part[] = [];
  for (const [name, entry] of Object.entries(value)) {
    const schema = propertySchema(resolver, content.schema, name);
    const itemSchema = Array.isArray(entry) ? resolver.follow(schema.items) : schema;
    const encoding = content.encoding[name];
    const style = encoding?.style;
    const isJoined = Array.isArray(entry) && style !== undefined && !style.explode;
    const items = isJoined ? [entry.join(style.style === 'pipeDelimited' ? '|' : ',')] : [entry].flat();
    for (const item of items) {
      if (item !== undefined && item !== null) parts.push(await writePart(name, item, itemSchema, encoding, readFile));
    }
  }
  return joinParts(content.mediaType, parts);
}

async function writePart(
  name: string,
  item: unknown,
  schema: JsonObject,
  encoding: PartEncoding | undefined,
  readFile: ReadFile,
): Promise<Part> {
  const own = Object.entries(encoding?.headers ?? {});
  const mayBeFile = isBinary(schema) || schema.properties === undefined;
  const file = mayBeFile ? await readFileValue(item, readFile) : undefined;
  if (file) {
    const type = encoding?.mediaType?.includes('*') ? file.type : (encoding?.mediaType ?? file.type);
    return { name, bytes: file.bytes, headers: [disposition(name, file.name), ['Content-Type', type], ...own] };
  }
  const isStructured = typeof item === 'object';
  const type = encoding?.mediaType ?? (isStructured ? 'application/json' : undefined);
  const text = isStructured || type === 'application/json' ? JSON.stringify(item) : String(item);
  const filename = isBinary(schema) ? 'file' : undefined;
  return {
    name,
    bytes: Buffer.from(text),
    headers: [
      disposition(name, filename),
      ...(type === undefined ? [] : [['Content-Type', type] as [string, string]]),
      ...own,
    ],
  };
}

function disposition(name: string, filename: string | undefined): [string, string] {
  const value = `form-data; name="${quote(name)}"${filename === undefined ? '' : `; filename="${quote(filename)}"`}`;
  return ['Content-Disposition', value];
}

/** As browsers escape names. */
function quote(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function joinParts(mediaType: string, parts: readonly Part[]): WrittenBody {
  const blocks = parts.map(({ headers, bytes }) => {
    const lines = headers.map(([name, value]) => {
      if (/[\r\n\0]/.test(name + value)) {
        throw new LoreError('invalid_input', `Cannot write part header "${name}": it contains a line break`);
      }
      return `${name}: ${value}\r\n`;
    });
    return Buffer.concat([Buffer.from(`${lines.join('')}\r\n`), bytes, Buffer.from('\r\n')]);
  });
  // Derived from the content, so that no part can contain it.
  const boundary = `lore-${hashHex(Buffer.concat(blocks)).slice(0, 32)}`;
  const start = Buffer.from(`--${boundary}\r\n`);
  return {
    mediaType: `${(mediaType.split(';')[0] as string).trim()}; boundary=${boundary}`,
    bytes: Buffer.concat([...blocks.flatMap((block) => [start, block]), Buffer.from(`--${boundary}--\r\n`)]),
  };
}
