// Starts threads. Their programs are bundled on their own, beside the bundle this runs from, or in `dist` when it runs from
// its source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { LoreError } from '../../core/error.ts';
import { passOwnFiles } from '../../files/own.ts';

type ThreadName = 'index' | 'parse' | 'scan';

export function startThread(name: ThreadName, action: string, options: WorkerOptions): Worker {
  passOwnFiles();
  return new Worker(findThread(name, action), options);
}

function findThread(name: ThreadName, action: string): string {
  const places = ['./', '../../../dist/'].map((place) =>
    fileURLToPath(new URL(`${place}${name}-thread.cjs`, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new LoreError('unavailable', `Cannot ${action}: this installation lacks "${name}-thread.cjs"`, {
    hint: 'Reinstall Lorekeeper; from a clone, run npm run build.',
  });
}
