// The file of the deep ranker, little-endian: magic, bytes of the header, SHA-256 of everything after byte 48, a JSON header, then the
// tensors, each padded to a multiple of 16 bytes. tools/rank/deep writes it and describes the order of the tensors.
import { readFileSync } from 'node:fs';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import type { InputShape } from './input.ts';

export interface DeepHeader extends InputShape {
  layers: number;
  /** Numbers per token, a multiple of 32: each attention head has 32. */
  width: number;
  inner: number;
  /** Rows of the embedding. */
  pieces: number;
  /** Most tokens of an input. */
  positions: number;
  embeddingBits: 4 | 8;
  vocabularyBytes: number;
  epsilon: number;
  /** Weights of both stages in the final order. */
  fusion: { fast: number; deep: number };
}

export interface ModelFile {
  header: DeepHeader;
  /** A copy of the next tensor, of that many bytes. */
  take(bytes: number): Uint8Array<ArrayBuffer>;
}

const magic = 'LORERNK2';
const hashAt = 16;
const headerAt = 48;
const alignment = 16;

export function readModelFile(path: string): ModelFile {
  const file = openFile(path);
  const headerEnd = headerAt + (file.length < headerAt ? 0 : file.readUInt32LE(8));
  const hash = file.toString('hex', hashAt, headerAt);
  const isWhole = file.toString('latin1', 0, 8) === magic && headerEnd <= file.length;
  if (!isWhole || hashHex(file.subarray(headerAt)) !== hash) throw damaged(path);
  const header = JSON.parse(file.toString('utf8', headerAt, headerEnd)) as DeepHeader;
  let at = headerEnd;
  return {
    header,
    take(bytes) {
      if (at + bytes > file.length) throw damaged(path);
      const tensor = new Uint8Array(file.subarray(at, at + bytes));
      at += Math.ceil(bytes / alignment) * alignment;
      return tensor;
    },
  };
}

function damaged(path: string): LoreError {
  return new LoreError('unavailable', `Cannot read ranking model "${path}": it is damaged or of another format`, {
    hint: 'Reinstall Lorekeeper. Until then, results are in the order of the fast ranking.',
  });
}

function openFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new LoreError('unavailable', `Cannot read ranking model "${path}": the file cannot be opened`, { cause });
  }
}
