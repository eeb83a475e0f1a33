// The teacher's unit vectors as 16-bit integers, which is finer than its 8-bit weights deserve and half the disk.
import { teacherDimensions } from './teacher.ts';

const one = 32767;

export function packVectors(vectors: readonly Float32Array[]): Uint8Array {
  const packed = new Int16Array(vectors.length * teacherDimensions);
  for (const [index, vector] of vectors.entries()) {
    packed.set(
      vector.map((value) => Math.round(value * one)),
      index * teacherDimensions,
    );
  }
  return new Uint8Array(packed.buffer);
}
