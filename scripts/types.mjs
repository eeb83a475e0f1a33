// Writes the types that embedders need: those of the exports, and whatever these refer to. node scripts/types.mjs [folder]
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? join(root, 'dist/types');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', folder], { cwd: root, stdio: 'inherit' });

/** @type {Set<string>} */
const needed = new Set();
/** @param {string} file */
function need(file) {
  if (needed.has(file)) return;
  needed.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"](\.[^'"]+)\.[jt]s['"]/g)) {
    need(`${join(dirname(file), path)}.d.ts`);
  }
}
need(join(folder, 'index.d.ts'));

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !needed.has(path)) rmSync(path);
}
