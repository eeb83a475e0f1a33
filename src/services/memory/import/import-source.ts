// Sources of foreign memories: a file, a folder, or standard input; read in pieces, since a transcript may be larger than
// memory. The beginning can be inspected before reading.
import { stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { LoreError } from '../../../core/error.ts';
import { kindOf, listFolder, nameOf } from '../../../files/folder.ts';
import { resolveNamed } from '../../../files/inside.ts';
import { type OpenFile, type OpenRefusal, openReal } from '../../../files/open.ts';

export interface ImportSource {
  /** As a person would name it. */
  name: string;
  size: number | undefined;
  /** When it was written, if that is known. */
  writtenAt: number | undefined;
  /** The beginning. */
  head(): Promise<string>;
  /** Once only. */
  parts(): AsyncIterable<string>;
}

const pathArgument = {
  action: 'read',
  argument: 'path',
  hint: 'Name the file itself rather than a link to it, or - for standard input.',
};
const headBytes = 64 << 10;
const partBytes = 1 << 20;
const longestLine = 32 << 20;
/** More than any person wrote; parsing it takes several times as much memory. */
const longestText = 256 << 20;
const maxFiles = 20_000;
const mostEntries = 200_000;
const deepest = 8;
const readable = /\.(?:md|mdc|markdown|txt|json|jsonl|ndjson)$/i;
const elsewhere = new Set(['node_modules', '.git', 'dist', 'vendor']);

export async function openSources(path: string, input: () => AsyncIterable<Buffer | string>): Promise<ImportSource[]> {
  if (path === '-') return [await openStream(input())];
  const real = resolveNamed(path, pathArgument);
  const isFolder = (await stat(real)).isDirectory();
  const files = isFolder ? await listFiles(real, 0) : [real];
  return files.map((file) => openFile(file, isFolder ? relative(real, file) : basename(path)));
}

export async function* readLines(source: ImportSource): AsyncGenerator<string> {
  // Only \n ends a line: texts may hold a bare \r, which readline would split at.
  let rest: string[] = [];
  let length = 0;
  for await (const part of source.parts()) {
    const lines = part.split('\n');
    const last = lines.pop() as string;
    for (const line of lines) {
      if (length + line.length <= longestLine) yield rest.length > 0 ? [...rest, line].join('') : line;
      rest = [];
      length = 0;
    }
    length += last.length;
    // A line that is too long is skipped, not buffered.
    if (length <= longestLine) rest.push(last);
    else rest = [];
  }
  if (length > 0 && length <= longestLine) yield rest.join('');
}

export async function readText(source: ImportSource): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of source.parts()) {
    length += part.length;
    if (length > longestText) throw new LoreError('limit_exceeded', `Cannot import "${source.name}": it is too large`);
    parts.push(part);
  }
  return parts.join('').replace(/^\uFEFF/, '');
}

function openFile(path: string, name: string): ImportSource {
  const file = openOrRefuse(path);
  const { size, modified } = file;
  file.close();
  return {
    name,
    size,
    writtenAt: Math.round(modified),
    head: () => readHead(openOrRefuse(path)),
    parts: () => readParts(openOrRefuse(path)),
  };
}

function openOrRefuse(path: string): OpenFile {
  const file = openReal(path);
  if (typeof file !== 'string') return file;
  throw new LoreError('not_found', `Cannot read "${path}": ${states[file] ?? 'it cannot be read'}`);
}

const states: { readonly [reason in OpenRefusal]?: string } = {
  denied: 'permission denied',
  own: "it is one of Lorekeeper's own files",
  exhausted: 'too many files are open',
};

async function readHead(file: OpenFile): Promise<string> {
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    return head.toString('utf8', 0, bytesRead);
  } finally {
    file.close();
  }
}

async function* readParts(file: OpenFile): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  const part = Buffer.alloc(partBytes);
  try {
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(part, 0, partBytes, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      yield decoder.write(part.subarray(0, bytesRead));
    }
    yield decoder.end();
  } finally {
    file.close();
  }
}

async function openStream(input: AsyncIterable<Buffer | string>): Promise<ImportSource> {
  const decoder = new StringDecoder('utf8');
  const parts = input[Symbol.asyncIterator]();
  let head = '';
  let isDone = false;
  while (!isDone && head.length < headBytes) {
    const next = await parts.next();
    isDone = next.done === true;
    head += isDone ? decoder.end() : decode(next.value, decoder);
  }
  async function* all(): AsyncGenerator<string> {
    yield head;
    for (let next = isDone ? undefined : await parts.next(); next && !next.done; next = await parts.next()) {
      yield decode(next.value, decoder);
    }
    if (!isDone) yield decoder.end();
  }
  return { name: 'standard input', size: undefined, writtenAt: undefined, head: async () => head, parts: all };
}

function decode(part: Buffer | string, decoder: StringDecoder): string {
  return typeof part === 'string' ? part : decoder.write(part);
}

/** In the order of their names, so that the same folder is read the same way. */
async function listFiles(folder: string, depth: number): Promise<string[]> {
  if (depth > deepest) return [];
  const files: string[] = [];
  const listed = await listFolder(folder, mostEntries);
  if (typeof listed === 'string') throw new LoreError('not_found', `Cannot read "${folder}": it cannot be listed`);
  for (const entry of listed.entries) {
    const [name, kind] = [nameOf(entry), kindOf(entry)];
    const path = join(folder, name);
    if (kind === 'folder' && !elsewhere.has(name)) files.push(...(await listFiles(path, depth + 1)));
    else if (kind === 'file' && readable.test(name)) files.push(path);
    if (files.length > maxFiles)
      throw new LoreError('limit_exceeded', `Cannot import "${folder}": it has too many files`);
  }
  return files;
}
