// Finds the programs of threads. They are bundled on their own, beside the bundle that this runs from, or in `dist` if it runs from its
// source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LoreError } from './error.ts';

export function findThread(name: 'index' | 'parse' | 'rank' | 'scan', action: string): string {
  const places = ['./', '../../dist/'].map((place) =>
    fileURLToPath(new URL(`${place}${name}-thread.cjs`, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new LoreError('unavailable', `Cannot ${action}: this installation lacks "${name}-thread.cjs"`, {
    hint: 'Reinstall Lorekeeper; from a clone, run npm run build.',
  });
}
