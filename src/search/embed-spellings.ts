// Finds the row of a spelling: a hash table over the bytes of the table file. A map of thirty thousand strings would take
// three times as long to build, which is most of the time of embedding one prompt.

export interface Spellings {
  /** Number of rows. */
  readonly size: number;
  get(spelling: string): number | undefined;
  has(spelling: string): boolean;
  read(row: number): string;
  /** The rows that are a pair of two others, with a space between. */
  readonly pairs: readonly number[];
}

const lineFeed = 10;
const space = 32;

/** UTF-16, or bytes in Latin-1, with a line feed between two spellings. */
export function indexSpellings(bytes: Uint8Array | Uint16Array): Spellings {
  const starts = findStarts(bytes);
  const size = starts.length - 1;
  const mask = 2 ** Math.ceil(Math.log2(size * 2)) - 1;
  /** A row plus one, 0 if the slot is free. */
  const slots = new Int32Array(mask + 1);
  const pairs: number[] = [];
  for (let row = 0; row < size; row++) {
    let hash = seed;
    let isPair = false;
    for (let at = starts[row] as number; at < (starts[row + 1] as number) - 1; at++) {
      hash = mix(hash, bytes[at] as number);
      isPair ||= bytes[at] === space;
    }
    if (isPair) pairs.push(row);
    let slot = finish(hash) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  }

  function isAt(row: number, spelling: string): boolean {
    const start = starts[row] as number;
    if ((starts[row + 1] as number) - 1 - start !== spelling.length) return false;
    for (let at = 0; at < spelling.length; at++) if (bytes[start + at] !== spelling.charCodeAt(at)) return false;
    return true;
  }

  function get(spelling: string): number | undefined {
    let hash = seed;
    for (let at = 0; at < spelling.length; at++) hash = mix(hash, spelling.charCodeAt(at));
    for (let slot = finish(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = (slots[slot] as number) - 1;
      if (isAt(row, spelling)) return row;
    }
    return undefined;
  }

  return {
    size,
    get,
    has: (spelling) => get(spelling) !== undefined,
    read: (row) => String.fromCharCode(...bytes.subarray(starts[row], (starts[row + 1] as number) - 1)),
    pairs,
  };
}

/** The start of each spelling, and where one after the last would start. */
function findStarts(bytes: Uint8Array | Uint16Array): Int32Array {
  let count = 1;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === lineFeed) count++;
  const starts = new Int32Array(count + 1);
  let row = 1;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === lineFeed) starts[row++] = at + 1;
  starts[count] = bytes.length + 1;
  return starts;
}

// FNV-1a.
const seed = 0x811c9dc5 | 0;
const mix = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);
const finish = (hash: number) => hash ^ (hash >>> 15);
