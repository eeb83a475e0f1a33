// The table file: one binary file, little-endian. A header of 32 bytes (magic, rows, width, bytes of spellings, eight bytes of
// the content's hash), a float32 scale for each row, the int8 rows, then the spellings, separated by line feeds. The hash
// identifies the table; it is not verified.
import { readFileSync } from 'node:fs';
import { LoreError } from '../core/error.ts';

export interface EmbeddingTable {
  /** Changes with every byte of the file: vectors of different ids cannot be compared. */
  id: string;
  /** A multiple of four. */
  dimensions: number;
  rows: readonly string[];
  scales: Float32Array;
  values: Int8Array;
}

const magic = 'LOREEMB1';
const headerBytes = 32;

export function readTable(path: string): EmbeddingTable {
  const bytes = readBytes(path);
  const [count, dimensions, length] = [8, 12, 16].map((at) =>
    bytes.length < headerBytes ? 0 : bytes.readUInt32LE(at),
  );
  const [rows, width, spelt] = [count as number, dimensions as number, length as number];
  const valuesAt = headerBytes + rows * 4;
  const spellingsAt = valuesAt + rows * width;
  if (bytes.toString('latin1', 0, 8) !== magic || width % 4 !== 0 || bytes.length !== spellingsAt + spelt) {
    throw new LoreError('unavailable', `Cannot read embedding table "${path}": it is damaged or of another format`);
  }
  return {
    id: `lore-static-${width}-${bytes.toString('hex', 20, 26)}`,
    dimensions: width,
    rows: bytes.toString('latin1', spellingsAt).split('\n'),
    scales: new Float32Array(bytes.buffer, bytes.byteOffset + headerBytes, rows),
    values: new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, rows * width),
  };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new LoreError('unavailable', `Cannot read embedding table "${path}": the file cannot be opened`, {
      hint: 'Reinstall Lorekeeper; the table is a part of the package.',
      cause,
    });
  }
}
