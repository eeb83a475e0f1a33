// One file as the reading tools return it: a range of lines, or a description of a binary file.
import { LoreError } from '../../../core/error.ts';
import { redactLines } from '../../../core/secret/redact.ts';
import { decodePart, encodingOfMark, isBinary, looked } from '../../../files/decode.ts';
import { openInside } from '../../../files/inside.ts';
import type { OpenFile } from '../../../files/open.ts';
import type { RepositoryTree } from '../context.ts';
import { type FileView, keepImage } from './file-shape.ts';
import { isShownImage, typeOf } from './file-type.ts';
import { type LineEnd, readLines } from './line-range.ts';

export interface Lines {
  start?: number | undefined;
  end?: number | undefined;
  /** Bytes of text at once; `wholeBytes` by default. */
  maxBytes?: number;
}

const maxLines = 2_000;
const wholeBytes = 256 * 1024;
/** With line numbers, the most that clients pass to their model: Gemini CLI 40,000 characters, Claude Code 25,000 tokens. */
export const pageBytes = 24 * 1024;
const largestImage = 1024 * 1024;
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
  const type = typeOf(head);
  if (isShownImage(type.mime) || (marked === undefined && isBinary(head))) return describe(view, file, head);
  const { start = 1, end = Number.POSITIVE_INFINITY, maxBytes = wholeBytes } = lines;
  if (end < start) throw rangeError(view.path, 'end', `at least ${start}`, end);
  const lineEnd: LineEnd = marked === 'utf-16le' ? 'utf16le' : marked === 'utf-16be' ? 'utf16be' : 'byte';
  const range = await readLines(file, file.size, lineEnd, { start, end, maxLines, maxBytes, signal });
  if (range.last === 0 && start > 1) throw rangeError(view.path, 'start', `at most ${range.total ?? 0}`, start);
  const { text: shown, encoding } = decodePart(range.bytes, marked);
  const before = await readBefore(file, lineEnd, start, signal);
  return Object.assign(view, {
    text: await redactPart(before && decodePart(before, marked).text, shown),
    start: range.last === 0 ? 0 : start,
    end: range.last,
    encoding,
    ...(range.total !== undefined && { total_lines: range.total }),
    ...(range.next !== undefined && { next_start: range.next }),
    ...(range.isCut && { cut: true }),
  });
}

/** Lines before a range that give it meaning: the first line of a private key, the name of a value, a table's header. */
const linesBefore = [400, 60, 8];
const bytesBefore = 64 * 1024;

async function readBefore(file: OpenFile, lineEnd: LineEnd, start: number, signal?: AbortSignal) {
  for (const count of start > 1 ? linesBefore : []) {
    const bounds = {
      start: Math.max(1, start - count),
      end: start - 1,
      maxLines: count,
      maxBytes: bytesBefore,
      signal,
    };
    const range = await readLines(file, file.size, lineEnd, bounds);
    if (range.last === start - 1 && !range.isCut) return range.bytes;
  }
  return undefined;
}

/** A part of a secret may not look like one, so it is checked together with the text before it. */
async function redactPart(before: string | undefined, shown: string): Promise<string> {
  if (before === undefined) return redactLines(shown);
  const lines = before.split('\n').length - 1;
  const clean = await redactLines(before + shown);
  return clean.split('\n').slice(lines).join('\n');
}

async function describe(view: FileView, file: OpenFile, head: Buffer): Promise<FileView> {
  const { mime, name } = typeOf(head);
  Object.assign(view, { kind: 'binary', type: `${name} (${mime})` });
  view.first_bytes = head.toString('hex', 0, shownBytes).replace(/(..)(?=.)/g, '$1 ');
  if (!isShownImage(mime) || file.size > largestImage) return view;
  const bytes = Buffer.alloc(file.size);
  const { bytesRead } = await file.read(bytes, 0, file.size, 0);
  keepImage(view, { type: 'image', data: bytes.toString('base64', 0, bytesRead), mimeType: mime });
  view.kind = 'image';
  return view;
}

function rangeError(path: string, argument: 'start' | 'end', expected: string, received: number): LoreError {
  return new LoreError('invalid_input', `Cannot read "${path}": ${argument} should be ${expected}, got ${received}`, {
    details: { path: `arguments.${argument}`, expected, received: String(received) },
  });
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
