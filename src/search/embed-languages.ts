// The rows of words in other languages: a second table file, read when a text needs it. A header of 32 bytes (magic, rows,
// width, groups, characters of spellings, eight bytes of the content's hash), a float32 scale for each row, for each group of
// numbers 256 int8 codes, a code for each group of each row, then the spellings as UTF-16, separated by line feeds.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { LoreError } from '../core/error.ts';
import { indexSpellings } from './embed-spellings.ts';

export interface LanguageTable {
  /** Part of the hash of the file. */
  readonly id: string;
  readonly size: number;
  /** Reads the file once. */
  open(): LanguageRows;
}

export interface LanguageRows {
  find(spelling: string): number | undefined;
  scales: Float32Array;
  /** Writes the numbers of a row. */
  decode(row: number, into: Int8Array, at: number): void;
}

const magic = 'LORELNG1';
const headerBytes = 32;
const codes = 256;

export function readLanguages(path: string, width: number): LanguageTable {
  const file = openFile(path);
  try {
    const header = Buffer.alloc(headerBytes);
    readSync(file, header, 0, headerBytes, 0);
    const [rows, own, groups, spelt] = [8, 12, 16, 20].map((at) => header.readUInt32LE(at)) as [
      number,
      number,
      number,
      number,
    ];
    const codesAt = headerBytes + rows * 4 + codes * own;
    const isWhole = fstatSync(file).size === codesAt + rows * groups + spelt * 2;
    if (header.toString('latin1', 0, 8) !== magic || own !== width || width % groups !== 0 || !isWhole)
      throw damaged(path);
    let opened: LanguageRows | undefined;
    return {
      id: header.toString('hex', 24, 28),
      size: rows,
      open() {
        opened ??= readRows(path, header, { rows, width, groups, spelt });
        return opened;
      },
    };
  } finally {
    closeSync(file);
  }
}

interface Shape {
  rows: number;
  width: number;
  groups: number;
  spelt: number;
}

function readRows(path: string, header: Buffer, { rows, width, groups, spelt }: Shape): LanguageRows {
  const bytes = readFileSync(path);
  const booksAt = headerBytes + rows * 4;
  const codesAt = booksAt + codes * width;
  const spellingsAt = codesAt + rows * groups;
  // Replaced meanwhile by an upgrade.
  if (bytes.length !== spellingsAt + spelt * 2 || !header.equals(bytes.subarray(0, headerBytes))) throw damaged(path);
  const spellings = indexSpellings(new Uint16Array(copy(bytes, spellingsAt)));
  const books = new Int8Array(bytes.buffer, bytes.byteOffset + booksAt, codes * width);
  const step = width / groups;
  return {
    find: spellings.get,
    scales: new Float32Array(copy(bytes, headerBytes, booksAt)),
    decode(row, into, at) {
      for (let group = 0; group < groups; group++) {
        const from = (group * codes + (bytes[codesAt + row * groups + group] as number)) * step;
        for (let k = 0; k < step; k++) into[at + group * step + k] = books[from + k] as number;
      }
    },
  };
}

/** Numbers of several bytes must be aligned. */
function copy(bytes: Buffer, from: number, to?: number): ArrayBuffer {
  return new Uint8Array(bytes.subarray(from, to)).buffer as ArrayBuffer;
}

function damaged(path: string): LoreError {
  return new LoreError('unavailable', `Cannot read language table "${path}": it is damaged or of another format`);
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new LoreError('unavailable', `Cannot read language table "${path}": the file cannot be opened`, {
      hint: 'Reinstall Lorekeeper; the table is a part of the package.',
      cause,
    });
  }
}
