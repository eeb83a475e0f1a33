// What the first two steps left: every text with its teacher's vector, as far as the teacher has come.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './paths.ts';
import { teacherDimensions } from './teacher.ts';

export interface Corpus {
  texts: string[];
  /** Which file each text came from. */
  origins: Uint16Array;
  /** Row by row, 16-bit; only directions matter. */
  vectors: Int16Array;
}

export function readCorpus(): Corpus {
  const texts: string[] = [];
  const origins: number[] = [];
  const blocks: Int16Array[] = [];
  for (const [origin, file] of readdirSync(join(cacheFolder, 'texts')).sort().entries()) {
    const path = join(cacheFolder, 'vectors', file.replace(/txt$/, 'i16'));
    if (!existsSync(path)) continue;
    const bytes = readFileSync(path);
    const count = Math.floor(bytes.length / 2 / teacherDimensions);
    const lines = readFileSync(join(cacheFolder, 'texts', file), 'utf8')
      .split('\n')
      .slice(0, count);
    for (const line of lines) {
      texts.push(line);
      origins.push(origin);
    }
    blocks.push(new Int16Array(bytes.buffer, bytes.byteOffset, lines.length * teacherDimensions));
  }
  const vectors = new Int16Array(texts.length * teacherDimensions);
  let at = 0;
  for (const block of blocks) {
    vectors.set(block, at);
    at += block.length;
  }
  return { texts, origins: Uint16Array.from(origins), vectors };
}
