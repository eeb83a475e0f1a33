// Bundles the command line and the embedding entry into dist/. The command line is split where the code imports lazily, so
// that a stdio server never reads what only HTTP needs; third-party packages stay outside.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
};

rmSync(`${root}dist`, { recursive: true, force: true });
await Promise.all([
  build({ ...common, entryPoints: ['src/cli/main.ts'], splitting: true, chunkNames: 'chunk/[name]-[hash]' }),
  build({ ...common, entryPoints: ['src/index.ts'] }),
]);
