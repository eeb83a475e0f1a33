// The table file: one binary file, little-endian. A header of 32 bytes (magic, rows, width, bytes of spellings, eight bytes of
// the content's hash), a float32 scale for each row, the int8 rows, then the spellings, separated by line feeds. The hash
// identifies the table; it is not verified. A process that embeds one prompt reads only the rows of its words.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LoreError } from '../core/error.ts';
import { indexSpellings, type Spellings } from './embed-spellings.ts';

export interface EmbeddingTable {
  /** Changes with every byte of the file: vectors of different ids cannot be compared. */
  id: string;
  /** A multiple of four. */
  dimensions: number;
  spellings: Spellings;
  scales: Float32Array;
  /** All rows; a row is zeros until it is loaded. */
  values: Int8Array;
  load(row: number): void;
}

const magic = 'LOREEMB1';
const headerBytes = 32;
/** After this many rows, the others are read together. */
const singleRows = 500;

export function readTable(path: string): EmbeddingTable {
  const file = openFile(path);
  const read = (into: Uint8Array | Int8Array, from: number) => {
    if (readSync(file, into, 0, into.length, from) !== into.length) throw damaged(path);
  };
  try {
    const { size } = fstatSync(file);
    const header = Buffer.alloc(headerBytes);
    if (size >= headerBytes) read(header, 0);
    const [rows, width, spelt] = [8, 12, 16].map((at) => header.readUInt32LE(at)) as [number, number, number];
    const valuesAt = headerBytes + rows * 4;
    const spellingsAt = valuesAt + rows * width;
    if (header.toString('latin1', 0, 8) !== magic || width % 4 !== 0 || size !== spellingsAt + spelt) {
      throw damaged(path);
    }
    const scales = new Float32Array(rows);
    read(new Uint8Array(scales.buffer), headerBytes);
    const spellings = Buffer.allocUnsafe(spelt);
    read(spellings, spellingsAt);
    const values = new Int8Array(rows * width);
    const isLoaded = new Uint8Array(rows);
    let loaded = 0;
    return {
      id: `lore-static-${width}-${header.toString('hex', 20, 26)}`,
      dimensions: width,
      spellings: indexSpellings(spellings),
      scales,
      values,
      load(row) {
        if (isLoaded[row] === 1) return;
        if (loaded++ < singleRows) {
          read(values.subarray(row * width, (row + 1) * width), valuesAt + row * width);
          isLoaded[row] = 1;
          return;
        }
        read(values, valuesAt);
        isLoaded.fill(1);
        closeSync(file);
      },
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function damaged(path: string): LoreError {
  return new LoreError('unavailable', `Cannot read embedding table "${path}": it is damaged or of another format`);
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new LoreError('unavailable', `Cannot read embedding table "${path}": the file cannot be opened`, {
      hint: 'Reinstall Lorekeeper; the table is a part of the package.',
      cause,
    });
  }
}
