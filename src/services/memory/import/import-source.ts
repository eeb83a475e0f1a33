// Where foreign memories are read from: a file, a folder of them, or standard input; in pieces, since a transcript may be
// larger than memory. What a source begins with can be looked at before it is read.
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { LoreError } from '../../../core/error.ts';

export interface Source {
  /** As a person would name it. */
  name: string;
  size: number | undefined;
  /** When it was written, if that is known. */
  writtenAt: number | undefined;
  /** What it begins with. */
  head(): Promise<string>;
  /** Once only. */
  parts(): AsyncIterable<string>;
}

const headBytes = 64 << 10;
const longestLine = 32 << 20;
/** More than anybody wrote down; read whole, it takes several times as much memory. */
const longestText = 256 << 20;
const maxFiles = 20_000;
const deepest = 8;
const readable = /\.(?:md|mdc|markdown|txt|json|jsonl|ndjson)$/i;
const elsewhere = new Set(['node_modules', '.git', 'dist', 'vendor']);

export async function openSources(path: string, input: () => AsyncIterable<Buffer | string>): Promise<Source[]> {
  if (path === '-') return [await openStream(input())];
  const stats = await lookAt(path);
  if (!stats.isDirectory()) return [await openFile(path, basename(path))];
  const files = await listFiles(path, 0);
  return Promise.all(files.map((file) => openFile(file, relative(path, file))));
}

export async function* readLines(source: Source): AsyncGenerator<string> {
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
    // What is too long for a line is passed over, not held.
    if (length <= longestLine) rest.push(last);
    else rest = [];
  }
  if (length > 0 && length <= longestLine) yield rest.join('');
}

export async function readText(source: Source): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of source.parts()) {
    length += part.length;
    if (length > longestText) throw new LoreError('limit_exceeded', `Cannot import "${source.name}": it is too large`);
    parts.push(part);
  }
  return parts.join('').replace(/^\uFEFF/, '');
}

async function lookAt(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    throw refuse(path, error);
  }
}

async function openFile(path: string, name: string): Promise<Source> {
  const { size, mtimeMs } = await lookAt(path);
  return { name, size, writtenAt: Math.round(mtimeMs), head: () => readHead(path), parts: () => readParts(path) };
}

async function readHead(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw refuse(path, error);
  }
}

async function* readParts(path: string): AsyncGenerator<string> {
  try {
    for await (const part of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) yield part as string;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : refuse(path, error);
  }
}

async function openStream(input: AsyncIterable<Buffer | string>): Promise<Source> {
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
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !elsewhere.has(entry.name)) files.push(...(await listFiles(path, depth + 1)));
    else if (entry.isFile() && readable.test(entry.name)) files.push(path);
    if (files.length > maxFiles)
      throw new LoreError('limit_exceeded', `Cannot import "${folder}": it has too many files`);
  }
  return files;
}

function refuse(path: string, error: unknown): LoreError {
  const code = (error as NodeJS.ErrnoException).code ?? 'it cannot be read';
  return new LoreError('not_found', `Cannot read "${path}": ${code}`, { cause: error });
}
