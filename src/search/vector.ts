// Vectors as the index keeps them: whole with the document, and their first part together with those of others. A search
// passes over the first parts, half of the bytes, and compares only the best of them as a whole. The components of the
// default embedder come in the order of what they tell: 97 of the 100 nearest are found, where a quarter would find 76.

const lanes = 16;
const leastCoarse = 64;

/** How much of a vector a segment holds. */
export function coarseWidth(width: number): number {
  return Math.min(width, Math.max(leastCoarse, Math.ceil(width / 2 / lanes) * lanes));
}

/** So many times what is asked for is looked at as a whole. */
export const coarseReach = 3;

export function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
