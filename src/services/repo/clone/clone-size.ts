// Limits what git writes during a fetch, since git has no limit of its own. Packs, single objects and files that are still
// being written all count.
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import type { Bounds } from './clones.ts';

const checkEveryMs = 250;
/** Also limits the number of files: an object takes at least one disk block. */
const block = 4096;

export async function withSizeLimit<T>(
  objects: string,
  url: string,
  bounds: Bounds,
  work: (bounds: Bounds) => Promise<T>,
): Promise<T> {
  const tooLarge = new AbortController();
  const measure = createMeasure(objects);
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    if ((await measure()) > bounds.maxBytes) tooLarge.abort(sizeError(url, bounds.maxBytes));
    else if (timer !== undefined) timer = setTimeout(check, checkEveryMs);
  };
  timer = setTimeout(check, checkEveryMs);
  try {
    return await work({ ...bounds, signal: AbortSignal.any([bounds.signal, tooLarge.signal]) });
  } finally {
    clearTimeout(timer);
    timer = undefined;
  }
}

/** Reads the size of a complete file once, since there may be hundreds of thousands, and of others each time. */
function createMeasure(objects: string): () => Promise<number> {
  const complete = new Map<string, number>();
  return async () => {
    let bytes = 0;
    for (const { name: folder } of await list(objects)) {
      for (const { name } of await list(join(objects, folder))) {
        const path = join(folder, name);
        const size = complete.get(path) ?? (await sizeOf(join(objects, path)));
        if (/^[0-9a-f]{38,62}$/.test(name)) complete.set(path, size);
        bytes += Math.max(size, block);
      }
    }
    return bytes;
  };
}

function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

export function sizeError(url: string, maxBytes: number): LoreError {
  const megabytes = Math.round(maxBytes / 1024 ** 2);
  return new LoreError('limit_exceeded', `Cannot clone "${url}": it is larger than ${megabytes} MB`, {
    hint: 'Clone it yourself, and grant its folder: lore allow --root <folder>',
  });
}
