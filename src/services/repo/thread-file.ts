// Where the programs of threads are: bundled on their own, beside the bundle this runs from, or in `dist` when it runs from
// its source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LoreError } from '../../core/error.ts';

export function findThread(name: 'index' | 'parse' | 'scan', action: string): string {
  const places = ['./', '../../../dist/'].map((place) =>
    fileURLToPath(new URL(`${place}${name}-thread.cjs`, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new LoreError('unavailable', `Cannot ${action}: this installation lacks "${name}-thread.cjs"`, {
    hint: 'Install it again; from its source, run npm run build.',
  });
}
