// Reading one document, or saying why not.
import { decodeText } from '../../../../files/decode.ts';
import { openReal, type Refusal, readOpened } from '../../../../files/open.ts';

/** Why a file was left out. */
export type Skip = 'too_large' | 'binary' | 'pdf' | 'unreadable' | 'link' | 'other';

export const largestFile = 10_000_000;

const skips: { readonly [reason in Refusal]?: Skip } = {
  link: 'link',
  moved: 'link',
  folder: 'other',
  special: 'other',
  own: 'other',
};

/** `path` is a real path; it may have become something else since it was listed. */
export async function readText(path: string): Promise<{ text: string } | { skip: Skip }> {
  const file = openReal(path);
  if (typeof file === 'string') return { skip: skips[file] ?? 'unreadable' };
  const bytes = await readOpened(file, largestFile);
  if (!bytes) return { skip: file.size > largestFile ? 'too_large' : 'unreadable' };
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return { skip: 'pdf' };
  const text = decodeText(bytes);
  return text === undefined ? { skip: 'binary' } : { text };
}
