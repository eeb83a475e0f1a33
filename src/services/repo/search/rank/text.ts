// The text of a file that a search looks into; nothing where it is too large, no text, or not to be read.
import { decodeText } from '../../../../files/decode.ts';
import { readInside } from '../../../../files/inside.ts';

/** A larger file is mostly data, and takes long to take apart. */
const largest = 512 * 1024;

export async function readText(root: string, path: string, most = largest): Promise<string | undefined> {
  const bytes = await readInside(root, path, most);
  return bytes && decodeText(bytes);
}
