// The table file: one binary file, little-endian. A header of 32 bytes (magic, rows, width, bytes of spellings, eight bytes of
// the content's hash), a float32 scale for each row, the int8 rows, then the spellings, separated by line feeds. The hash
// identifies the table; it is not verified. A process that embeds one prompt reads only the rows of its words. The rows of other
// languages follow, from a file of their own.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LoreError } from '../core/error.ts';
import { readLanguages } from './embed-languages.ts';
import type { FindRow } from './embed-rows.ts';
import { indexSpellings, type Spellings } from './embed-spellings.ts';

export interface EmbeddingTable {
  /** Changes with every byte of the files: vectors of different ids cannot be compared. */
  id: string;
  /** A multiple of four. */
  dimensions: number;
  /** Of the English rows, which are the first. */
  spellings: Spellings;
  /** The number of rows in both files. */
  size: number;
  scales: Float32Array;
  /** All rows; a row is zeros until it is loaded. */
  values: Int8Array;
  load(row: number): void;
  /** Reads the rows of other languages. */
  openLanguages?(): FindRow;
}

const magic = 'LOREEMB1';
const headerBytes = 32;
/** After this many rows, the others are read together. */
const singleRows = 500;

export function readTable(path: string, languagesPath?: string): EmbeddingTable {
  const file = openFile(path);
  const read = (into: Uint8Array | Int8Array, from: number) => {
    if (readSync(file, into, 0, into.length, from) !== into.length) throw damaged(path);
  };
  try {
    const bytes = fstatSync(file).size;
    const header = Buffer.alloc(headerBytes);
    if (bytes >= headerBytes) read(header, 0);
    const [rows, width, spelt] = [8, 12, 16].map((at) => header.readUInt32LE(at)) as [number, number, number];
    const valuesAt = headerBytes + rows * 4;
    const spellingsAt = valuesAt + rows * width;
    if (header.toString('latin1', 0, 8) !== magic || width % 4 !== 0 || bytes !== spellingsAt + spelt) {
      throw damaged(path);
    }
    const others = languagesPath === undefined ? undefined : readLanguages(languagesPath, width);
    const size = rows + (others?.size ?? 0);
    const scales = new Float32Array(size);
    read(new Uint8Array(scales.buffer, 0, rows * 4), headerBytes);
    const spellings = Buffer.allocUnsafe(spelt);
    read(spellings, spellingsAt);
    const values = new Int8Array(size * width);
    const isLoaded = new Uint8Array(size);
    let loaded = 0;
    return {
      id: [`lore-static-${width}-${header.toString('hex', 20, 26)}`, ...(others ? [others.id] : [])].join('-'),
      dimensions: width,
      spellings: indexSpellings(spellings),
      size,
      scales,
      values,
      load(row) {
        if (isLoaded[row] === 1) return;
        if (row >= rows) {
          others?.open().decode(row - rows, values, row * width);
          isLoaded[row] = 1;
          return;
        }
        if (loaded++ < singleRows) {
          read(values.subarray(row * width, (row + 1) * width), valuesAt + row * width);
          isLoaded[row] = 1;
          return;
        }
        read(values.subarray(0, rows * width), valuesAt);
        isLoaded.fill(1, 0, rows);
        closeSync(file);
      },
      ...(others && {
        openLanguages() {
          const opened = others.open();
          scales.set(opened.scales, rows);
          return (spelling) => {
            const row = opened.find(spelling);
            return row === undefined ? undefined : rows + row;
          };
        },
      }),
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
