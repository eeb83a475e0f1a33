// The text of a file that a search looks into; nothing where it is too large, no text, or not to be read.
import { decodeText } from '../../../../graph/decode.ts';
import { openInside } from '../../place/inside.ts';

/** A larger file is mostly data, and takes long to take apart. */
const largest = 512 * 1024;

export async function readText(root: string, path: string, most = largest): Promise<string | undefined> {
  try {
    const { handle, size } = await openInside(root, path);
    try {
      if (size > most) return undefined;
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await handle.read(bytes, 0, size, 0);
      return decodeText(bytes.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
