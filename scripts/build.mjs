// Bundles the command line and the embedding entry into dist/. Code splitting keeps what a command does not use out of
// its start-up; third-party packages stay outside the bundle.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunk/[name]-[hash]',
  logLevel: 'warning',
});
