// Reads one document, or returns why it was skipped.
import { decodeText } from '../../../files/decode.ts';
import { openReal, readOpened, skipOf } from '../../../files/open.ts';

/** Why a file was skipped. */
export type DocumentSkip = 'too_large' | 'binary' | 'pdf' | 'unreadable' | 'link' | 'other';

export const largestFile = 10_000_000;

/** `path` is a real path; it may have become something else since it was listed. */
export async function readText(path: string): Promise<{ text: string } | { skip: DocumentSkip }> {
  const file = openReal(path);
  if (typeof file === 'string') return { skip: skipOf(file) };
  const bytes = await readOpened(file, largestFile);
  if (!bytes) return { skip: file.size > largestFile ? 'too_large' : 'unreadable' };
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return { skip: 'pdf' };
  const text = decodeText(bytes);
  return text === undefined ? { skip: 'binary' } : { text };
}
