// Reads a document from a file or an address, with the other files that it refers to.
import { basename, dirname, resolve } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import type { Reach } from '../../../core/outgoing/connect.ts';
import { type OutgoingOptions, type OutgoingRequest, send } from '../../../core/outgoing/send.ts';
import { nameInside } from '../../../core/path.ts';
import { readInside, resolveNamed } from '../../../files/inside.ts';
import { findIntrospection, introspectionQuery } from '../graphql/introspection.ts';
import { isSdl } from '../graphql/sdl.ts';
import { bundleFiles } from '../openapi/bundle.ts';
import { asObject, parseDocument } from '../openapi/document.ts';

export interface ReadOptions {
  /** The folder that all files must be in. Default: the folder of the document. */
  root?: string | undefined;
  reach: Reach;
  signal?: AbortSignal | undefined;
}

export interface SourceDocument {
  value: unknown;
  /** The address that answered; empty for a file. */
  address: string;
  /** As it is read again: an address, or a whole path. */
  from: string;
}

const mostBytes = 64 * 1024 * 1024;
const timeoutMs = 60_000;
/** A reference that is not inside the document. */
const otherFile = /\$ref["']?\s*:\s*(?:"(?!#)|'(?!#)|(?!["'#\s]))/;

export function isAddress(from: string): boolean {
  return /^https?:\/\//i.test(from);
}

export async function readSource(from: string, options: ReadOptions): Promise<SourceDocument> {
  return isAddress(from) ? download(from, options) : readFiles(from, options);
}

async function download(from: string, { reach, signal }: ReadOptions): Promise<SourceDocument> {
  if (!URL.canParse(from)) throw new LoreError('invalid_input', `Cannot read "${from}": it is not a valid address`);
  const { origin, pathname, search } = new URL(from);
  const accept = 'application/json, application/yaml, text/yaml, */*;q=0.5';
  const request = { method: 'GET', origin, target: pathname + search, headers: [['accept', accept]] as const };
  const options = { reach, timeoutMs, maxBytes: mostBytes, signal, isRoaming: true };
  const { status, body, url } = await send(request, options);
  const text = body.toString('utf8');
  const introspected = /graphql\/?$/i.test(pathname) && !isSdl(text) ? await introspect(request, options) : undefined;
  if (introspected) return { value: introspected, address: from, from };
  if (status !== 200) {
    throw new LoreError(
      status === 404 ? 'not_found' : 'unavailable',
      `Cannot read "${origin}${pathname}": the server answered ${status}`,
    );
  }
  return { value: await parseText(text), address: url, from };
}

/** Undefined if the server does not answer the query about its schema. */
async function introspect(endpoint: OutgoingRequest, options: OutgoingOptions): Promise<unknown> {
  const headers = [
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
  ] as const;
  const body = JSON.stringify({ query: introspectionQuery });
  const response = await send({ ...endpoint, method: 'POST', headers, body }, { ...options, isRoaming: false });
  const value = await parseDocument(response.body.toString('utf8')).catch(() => undefined);
  return findIntrospection(asObject(value)) && value;
}

/** The schema language of GraphQL stays text. */
async function parseText(text: string): Promise<unknown> {
  return isSdl(text) ? text : parseDocument(text);
}

async function readFiles(from: string, { root }: ReadOptions): Promise<SourceDocument> {
  const path = resolveNamed(from, { action: 'read', argument: 'file', hint: 'Name the file of the document.' });
  const folder = root === undefined ? dirname(path) : resolveNamed(resolve(root), { action: 'read', argument: 'root' });
  const read = async (name: string) => {
    const bytes = await readInside(folder, name, mostBytes);
    return bytes?.toString('utf8');
  };
  const readPart = async (name: string) => {
    const part = await read(name);
    return part === undefined ? undefined : parseText(part);
  };
  const entry = nameInside(path, folder);
  const text = await read(entry);
  const value = text === undefined ? undefined : await parseText(text);
  if (value === undefined) {
    throw new LoreError(
      'not_found',
      `Cannot read "${from}": it is not a file in "${folder}", or has more than 64 MiB`,
      {
        details: { path: 'file', expected: 'a document', received: basename(path) },
      },
    );
  }
  const isWhole = typeof value === 'string' || !otherFile.test(text as string);
  const whole = isWhole ? value : await bundleFiles(asObject(value), entry, readPart);
  return { value: whole, address: '', from: path };
}
