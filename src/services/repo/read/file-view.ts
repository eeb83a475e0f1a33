// One file as the reading tools return it: a range of lines, or a description of a binary file.
import type { ResourceContents } from '../../../core/content.ts';
import { LoreError } from '../../../core/error.ts';
import { keepRecent } from '../../../core/recent.ts';
import { redactPart } from '../../../core/secret/redact.ts';
import { decodePart, encodingOfMark, isBinary, looked } from '../../../files/decode.ts';
import { openInside } from '../../../files/inside.ts';
import type { OpenFile } from '../../../files/open.ts';
import type { RepositoryTree } from '../context.ts';
import { type FileView, keepMedia, nameFile } from './file-shape.ts';
import { isMedia, isShownImage, typeOf } from './file-type.ts';
import { cutAt, type LineEnd, type LineMarks, readBytes, readLines } from './line-range.ts';

export interface Lines {
  start?: number | undefined;
  end?: number | undefined;
  /** First byte, instead of a line. */
  offset?: number | undefined;
  /** Bytes of text at once; `wholeBytes` by default. */
  maxBytes?: number;
}

const maxLines = 2_000;
const wholeBytes = 256 * 1024;
/** With line numbers, the most that clients pass to their model: Gemini CLI 40,000 characters, Claude Code 25,000 tokens. */
export const pageBytes = 24 * 1024;
const largestImage = 1024 * 1024;
/** As base64 it fits a result. */
const largestMedia = 4 * 1024 * 1024;
const shownBytes = 32;

export async function viewFile(
  place: RepositoryTree,
  given: string,
  lines: Lines = {},
  signal?: AbortSignal,
): Promise<FileView> {
  const { name, file } = await openInside(place.root, given).catch((error: unknown) => {
    throw explainClone(place, error);
  });
  try {
    const head = Buffer.alloc(looked);
    const { bytesRead } = await file.read(head, 0, looked, 0);
    const view: FileView = {
      path: name,
      ...(place.url !== undefined && { repo: place.url }),
      size: file.size,
      modified: new Date(file.modified).toISOString(),
      kind: 'text',
    };
    return await fillView(view, file, head.subarray(0, bytesRead), lines, signal);
  } finally {
    file.close();
  }
}

async function fillView(view: FileView, file: OpenFile, head: Buffer, lines: Lines, signal?: AbortSignal) {
  const marked = encodingOfMark(head);
  if (marked === undefined && isBinary(head)) return describe(view, file, head);
  const { start = 1, end = Number.POSITIVE_INFINITY, maxBytes = wholeBytes } = lines;
  const lineEnd: LineEnd = marked === 'utf-16le' ? 'utf16le' : marked === 'utf-16be' ? 'utf16be' : 'byte';
  if (lines.offset !== undefined) return fillFrom(view, file, { marked, lineEnd, offset: lines.offset, maxBytes });
  if (end < start) throw rangeError(view.path, 'end', `at least ${start}`, end);
  const range = await readLines(file, file.size, lineEnd, { start, end, maxLines, maxBytes, signal }, marksOf(file));
  if (range.last === 0 && start > 1) throw rangeError(view.path, 'start', `at most ${range.total ?? 0}`, start);
  const { text: shown, encoding } = decodePart(range.bytes, marked);
  const before = decodePart(await readBefore(file, lineEnd, start, signal), marked).text;
  const after =
    range.cutAt === undefined ? '' : decodePart(await readBytes(file, range.cutAt, bytesAfter), marked).text;
  return Object.assign(view, {
    text: await redactPart(before + shown + after, before.length, before.length + shown.length),
    start: range.last === 0 ? 0 : start,
    end: range.last,
    encoding,
    ...(range.total !== undefined && { total_lines: range.total }),
    ...(range.next !== undefined && { next_start: range.next }),
    ...(range.cutAt !== undefined && { cut: true, next_offset: range.cutAt }),
  });
}

/** A page that begins at a byte: inside a line that is too long for a page, or wherever the caller wants. */
async function fillFrom(
  view: FileView,
  file: OpenFile,
  { marked, lineEnd, offset, maxBytes }: Encoded & { offset: number; maxBytes: number },
): Promise<FileView> {
  if (offset > file.size) throw rangeError(view.path, 'offset', `at most ${file.size}`, offset);
  const first = Math.max(0, offset - bytesBefore);
  const around = await readBytes(file, first, offset - first + maxBytes + bytesAfter);
  const from = cutAt(around, offset - first, lineEnd).length;
  const to = cutAt(around, Math.min(from + maxBytes, around.length), lineEnd).length;
  const [before, shown, after] = [around.subarray(0, from), around.subarray(from, to), around.subarray(to)].map(
    (part) => decodePart(part, marked),
  ) as [Decoded, Decoded, Decoded];
  const whole = before.text + shown.text + after.text;
  return Object.assign(view, {
    text: await redactPart(whole, before.text.length, before.text.length + shown.text.length),
    offset: first + from,
    encoding: shown.encoding,
    ...(first + to < file.size && { next_offset: first + to }),
  });
}

interface Encoded {
  marked: ReturnType<typeof encodingOfMark>;
  lineEnd: LineEnd;
}

type Decoded = ReturnType<typeof decodePart>;

/** Of large files, by path and version. */
const knownMarks = new Map<string, LineMarks>();
const mostKnown = 32;
const largeFile = 1024 * 1024;

function marksOf({ path, size, modified }: OpenFile): LineMarks {
  if (size < largeFile) return [0];
  const key = `${size} ${modified} ${path}`;
  const marks = knownMarks.get(key) ?? [0];
  keepRecent(knownMarks, key, marks, mostKnown);
  return marks;
}

/** Lines before a range that give it meaning: the first line of a private key, the name of a value, a table's header. */
const linesBefore = [400, 60, 8];
const bytesBefore = 64 * 1024;
/** Bytes after a page that ends inside a line. */
const bytesAfter = 4 * 1024;

async function readBefore(file: OpenFile, lineEnd: LineEnd, start: number, signal?: AbortSignal) {
  for (const count of start > 1 ? linesBefore : []) {
    const bounds = {
      start: Math.max(1, start - count),
      end: start - 1,
      maxLines: count,
      maxBytes: bytesBefore,
      signal,
    };
    const range = await readLines(file, file.size, lineEnd, bounds, marksOf(file));
    if (range.last === start - 1 && range.cutAt === undefined) return range.bytes;
  }
  return Buffer.alloc(0);
}

async function describe(view: FileView, file: OpenFile, head: Buffer): Promise<FileView> {
  const { mime, name } = typeOf(head);
  Object.assign(view, { kind: 'binary', type: `${name} (${mime})` });
  view.first_bytes = head.toString('hex', 0, shownBytes).replace(/(..)(?=.)/g, '$1 ');
  if (isShownImage(mime) && file.size <= largestImage) {
    const data = (await readBytes(file, 0, file.size)).toString('base64');
    keepMedia(view, { type: 'image', data, mimeType: mime });
    view.kind = 'image';
  } else if (isMedia(mime) && view.repo === undefined) {
    keepMedia(view, { type: 'resource_link', uri: nameFile(view.path), name: view.path, mimeType: mime });
  }
  return view;
}

function rangeError(path: string, argument: 'start' | 'end' | 'offset', expected: string, received: number): LoreError {
  return new LoreError('invalid_input', `Cannot read "${path}": ${argument} should be ${expected}, got ${received}`, {
    details: { path: `arguments.${argument}`, expected, received: String(received) },
  });
}

/** The bytes of an image, sound, film or PDF; undefined for other files. */
export async function readMedia(place: RepositoryTree, path: string): Promise<ResourceContents | undefined> {
  const { name, file } = await openInside(place.root, path);
  try {
    const head = await readBytes(file, 0, looked);
    const { mime } = typeOf(head);
    // A text may begin like an image, and is redacted.
    if (!isMedia(mime) || !(isBinary(head) || mime === 'application/pdf')) return undefined;
    if (file.size > largestMedia) {
      throw new LoreError('limit_exceeded', `Cannot read "${name}": it is larger than ${largestMedia} bytes`);
    }
    return { uri: nameFile(name), mimeType: mime, blob: (await readBytes(file, 0, file.size)).toString('base64') };
  } finally {
    file.close();
  }
}

/** A clone lacks large files. */
function explainClone({ url }: RepositoryTree, error: unknown): unknown {
  if (url === undefined || !(error instanceof LoreError) || error.word !== 'not_found') return error;
  const { message, details } = error;
  return new LoreError('not_found', message, {
    hint: 'list_files lists the files. Clones do not contain files above 1 MB.',
    ...(details && { details }),
  });
}
