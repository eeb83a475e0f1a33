// The teacher's vectors in 256 dimensions, kept on disk: the slowest part of a fit, and the same for every setting tried.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus } from './corpus.ts';
import { cacheFolder } from './paths.ts';
import { findDirections, projectRows } from './project.ts';
import { teacherDimensions } from './teacher.ts';

/** So many texts settle the directions: more of them change the third digit. */
const sample = 30_000;

export function projectCorpus(corpus: Corpus, width: number): { directions: Float64Array[]; targets: Float32Array } {
  const path = join(cacheFolder, 'targets.f32');
  const axes = join(cacheFolder, 'directions.f64');
  const size = corpus.texts.length * width * 4;
  if (!existsSync(path) || readFileSync(join(cacheFolder, 'targets.size'), 'utf8') !== String(size)) {
    const found = findDirections(corpus.vectors, teacherDimensions, width, sample);
    writeFileSync(axes, new Uint8Array(Float64Array.from(found.flatMap((row) => [...row])).buffer));
    writeFileSync(path, new Uint8Array(projectRows(corpus.vectors, teacherDimensions, found).buffer));
    writeFileSync(join(cacheFolder, 'targets.size'), String(size));
  }
  const bytes = readFileSync(path);
  const flat = readFileSync(axes);
  const values = new Float64Array(flat.buffer, flat.byteOffset, flat.length / 8);
  return {
    directions: Array.from({ length: width }, (_, k) =>
      values.slice(k * teacherDimensions, (k + 1) * teacherDimensions),
    ),
    targets: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
  };
}
