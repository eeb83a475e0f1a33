// The data files that ship with the program, in `assets/` beside `src/` and `dist/`. This code runs from `src/core` or from
// a bundle in `dist`.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function findAsset(name: string): string {
  const places = ['../assets/', '../../assets/'].map((place) => fileURLToPath(new URL(place + name, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? (places[0] as string);
}

export function readCompressedAsset(name: string): Buffer {
  // Loaded here, because most starts need no compressed file.
  return process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(findAsset(`${name}.br`)));
}
