// Reads one source file, or returns why it is skipped: too large, binary, generated. Synchronous, so only worker threads use it.
import { join } from 'node:path';
import { loadCrypto } from '../../../../core/crypto.ts';
import { decodeText } from '../../../../files/decode.ts';
import { openReal, readOpenedSync, skipOf } from '../../../../files/open.ts';

export type SourceSkip = 'too_large' | 'binary' | 'generated' | 'minified' | 'unreadable' | 'link' | 'other';

export interface SourceText {
  text: string;
  size: number;
  modified: number;
  hash: string;
}

export function readSource(root: string, path: string, most: number): SourceText | SourceSkip {
  const file = openReal(join(root, path));
  if (typeof file === 'string') return skipOf(file);
  const { size, modified } = file;
  const bytes = readOpenedSync(file, most);
  if (!bytes) return size > most ? 'too_large' : 'unreadable';
  const text = decodeText(bytes);
  if (text === undefined) return 'binary';
  const hash = loadCrypto().createHash('sha1').update(bytes).digest('base64url').slice(0, 20);
  return { text, size, modified, hash };
}

const marks = /@generated\b|\bcode generated\b.*\bdo not edit\b|\bauto-?generated\b.*\bdo not (?:edit|modify)\b/i;

/** Whether a program generated it: such files are not edited. */
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
