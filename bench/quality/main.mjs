// The quality bench: how well the product's own graph finds the evidence of public question sets.
// node bench/quality/main.mjs [--set longmemeval,pooled,locomo] [--split tune|report] [--only text,vector,fused]
//   [--json FILE]
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sets = ['longmemeval', 'pooled', 'locomo'];
const { values } = parseArgs({
  options: {
    set: { type: 'string', default: sets.join(',') },
    split: { type: 'string', default: 'tune' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const choices = [
  [values.set, sets],
  [values.split, ['tune', 'report']],
  [values.only ?? '', ['', 'text', 'vector', 'fused']],
];
if (choices.some(([given, known]) => given.split(',').some((word) => !known.includes(word)))) {
  console.error(`Cannot run: --set is of ${sets.join(', ')}; --split is tune or report; --only of text, vector, fused`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'lore-quality-'));
try {
  // Packages left outside the bundle are looked for beside it.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/quality/run.ts'],
    outfile: join(folder, 'run.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const { run } = await import(pathToFileURL(join(folder, 'run.mjs')).href);
  const result = await run({
    root,
    folder,
    split: values.split,
    sets: values.set.split(','),
    only: values.only?.split(','),
  });
  if (values.json) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
