// Reads an OpenAPI document from text. Nothing is dereferenced or converted: `resolver.ts` follows references when an
// operation is used, because real documents are cyclic and have megabytes.
import { LoreError } from '../../../core/error.ts';
import { readJson } from '../../../core/json.ts';
import { isObject } from '../../../core/schema.ts';

export type JsonObject = { [key: string]: unknown };

export const openApiVersions = ['2.0', '3.0', '3.1', '3.2'] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

export interface ApiDocument {
  readonly version: OpenApiVersion;
  readonly root: JsonObject;
  /** The address it was read from, which relative servers refer to; empty for a file. */
  readonly address: string;
}

/** The largest documents in use have a third of this. */
const mostValues = 3_000_000;
const deepest = 500;

/** JSON, or else YAML. */
export async function parseDocument(text: string): Promise<unknown> {
  const content = text.replace(/^\uFEFF/, '');
  if (/^\s*[{[]/.test(content)) {
    try {
      return readJson(content, Number.POSITIVE_INFINITY);
    } catch {
      // A flow mapping of YAML also begins with a brace.
    }
  }
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    // Aliases share their value, so any number of them is harmless until the value is written.
    value = parse(content, { maxAliasCount: -1, merge: true, uniqueKeys: false, logLevel: 'error' });
  } catch {
    throw new LoreError('invalid_input', 'Cannot read the document: it is neither JSON nor YAML');
  }
  checkSize(value);
  return value;
}

/** Counts the values with every alias written out: nine lines of YAML can stand for gigabytes. */
function checkSize(value: unknown): void {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const measure = (node: unknown, depth: number): number => {
    if (typeof node !== 'object' || node === null) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    if (open.has(node) || depth > deepest) throw tooLarge();
    open.add(node);
    let size = 1;
    for (const entry of Object.values(node)) size += measure(entry, depth + 1);
    open.delete(node);
    sizes.set(node, size);
    if (size > mostValues) throw tooLarge();
    return size;
  };
  measure(value, 0);
}

function tooLarge(): LoreError {
  return new LoreError('limit_exceeded', 'Cannot read the document: its aliases are cyclic or stand for too much text');
}

/** Throws `invalid_input` if it is not an OpenAPI document. */
export function openDocument(value: unknown, address = ''): ApiDocument {
  const root = asObject(value);
  const stated = String(root.openapi ?? root.swagger ?? '');
  const version = openApiVersions.find((known) => stated === known || stated.startsWith(`${known}.`));
  if (version) return { version, root, address };
  const found = stated === '' ? 'it has no "openapi" or "swagger" field' : `its version is "${stated.slice(0, 20)}"`;
  throw new LoreError('invalid_input', `Cannot read the document: ${found}`, {
    hint: `Supported: OpenAPI ${openApiVersions.join(', ')}, GraphQL, Google discovery, Postman collections 2, HAR.`,
  });
}

/** Documents are foreign: anything may be anything. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
