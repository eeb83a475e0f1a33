// One file's bytes as text, or why it is left out: too large, not text, made by a program. Read without waiting on a pipe,
// without following a link, and judged by what was opened, not by what was listed. Only worker threads read like this.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { loadCrypto } from '../../../../core/crypto.ts';
import { decodeText } from '../../../../graph/decode.ts';

export type Skip = 'too_large' | 'binary' | 'generated' | 'minified' | 'unreadable' | 'link' | 'other';

export interface SourceText {
  text: string;
  size: number;
  modified: number;
  hash: string;
}

export function readSource(root: string, path: string, most: number): SourceText | Skip {
  const whole = join(root, path);
  let file: number | undefined;
  try {
    file = openSync(whole, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const { size, mtimeMs, isFile } = describeOpened(file);
    if (!isFile) return 'other';
    if (size > most) return 'too_large';
    if (realpathSync(whole) !== whole) return 'link';
    const bytes = readAll(file, size);
    const text = decodeText(bytes);
    if (text === undefined) return 'binary';
    const hash = loadCrypto().createHash('sha1').update(bytes).digest('base64url').slice(0, 20);
    return { text, size, modified: mtimeMs, hash };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'link' : 'unreadable';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function describeOpened(file: number) {
  const stat = fstatSync(file);
  return { size: stat.size, mtimeMs: stat.mtimeMs, isFile: stat.isFile() };
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

const marks = /@generated\b|\bcode generated\b.*\bdo not edit\b|\bauto-?generated\b.*\bdo not (?:edit|modify)\b/i;

/** Whether a program wrote it: nobody looks there for what to change. */
export function isGenerated(text: string): 'generated' | 'minified' | undefined {
  if (marks.test(text.slice(0, 2_000))) return 'generated';
  if (text.length < 5_000) return undefined;
  let [lines, longest, from] = [1, 0, 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
    longest = Math.max(longest, at - from);
    lines++;
    from = at + 1;
  }
  longest = Math.max(longest, text.length - from);
  const average = text.length / lines;
  return average > 1_000 || (longest > 20_000 && longest > text.length / 3) ? 'minified' : undefined;
}
