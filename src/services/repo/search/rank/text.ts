// The text of a file for a search; undefined if it is too large, binary, or not readable.
import { decodeText } from '../../../../files/decode.ts';
import { readInside } from '../../../../files/inside.ts';

/** A larger file is mostly data, and takes long to take apart. */
const largest = 512 * 1024;

export async function readText(root: string, path: string, most = largest): Promise<string | undefined> {
  const bytes = await readInside(root, path, most);
  return bytes && decodeText(bytes);
}
