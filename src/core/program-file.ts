// Finds the programs that are bundled on their own: threads, and the program of exported servers. They are beside the bundle that
// this runs from, or in `dist` if it runs from its source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LoreError } from './error.ts';

export function findThread(name: 'index' | 'parse' | 'rank' | 'scan', action: string): string {
  return findProgram(`${name}-thread.cjs`, action);
}

export function findProgram(file: string, action: string): string {
  const places = ['./', '../../dist/'].map((place) => fileURLToPath(new URL(`${place}${file}`, import.meta.url)));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new LoreError('unavailable', `Cannot ${action}: this installation lacks "${file}"`, {
    hint: 'Reinstall Lorekeeper; from a clone, run npm run build.',
  });
}
