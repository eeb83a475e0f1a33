// Writes the table file that src/search/embed-table.ts reads.
import { createHash } from 'node:crypto';

export function packTable(rows: readonly string[], scales: Float32Array, values: Int8Array): Buffer {
  const spellings = Buffer.from(rows.join('\n'), 'latin1');
  const content = Buffer.concat([bytesOf(scales), bytesOf(values), spellings]);
  const header = Buffer.alloc(32);
  header.write('LOREEMB1', 'latin1');
  header.writeUInt32LE(rows.length, 8);
  header.writeUInt32LE(values.length / rows.length, 12);
  header.writeUInt32LE(spellings.length, 16);
  createHash('sha256').update(content).digest().copy(header, 20, 0, 8);
  return Buffer.concat([header, content]);
}

function bytesOf(array: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
