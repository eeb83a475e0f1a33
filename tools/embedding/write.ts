// Step 4. Rounds the table to int8, each row with a scale of its own (row lengths differ a hundredfold: they are the
// tokens' weights), and writes assets/embedding.bin.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packTable } from './pack.ts';
import { cacheFolder } from './paths.ts';

const rows = readFileSync(join(cacheFolder, 'rows.txt'), 'utf8').split('\n');
const bytes = readFileSync(join(cacheFolder, 'table.f32'));
const table = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const width = table.length / rows.length;
const scales = new Float32Array(rows.length);
const values = new Int8Array(table.length);
for (let row = 0; row < rows.length; row++) {
  const cells = table.subarray(row * width, (row + 1) * width);
  const scale = cells.reduce((most, cell) => Math.max(most, Math.abs(cell)), 0) / 127;
  scales[row] = scale;
  for (let k = 0; k < width; k++) values[row * width + k] = scale ? Math.round((cells[k] as number) / scale) : 0;
}
const target = process.argv[2] ?? fileURLToPath(new URL('../../assets/embedding.bin', import.meta.url));
mkdirSync(join(target, '..'), { recursive: true });
writeFileSync(target, packTable(rows, scales, values));
process.stderr.write(`${target}: ${rows.length} rows of ${width}\n`);
