// Bundles the command line and the embedding entry into dist/. The command line is one CommonJS file, which Node starts
// faster than modules; what the code imports lazily is still only run when it is needed. Packages stay outside.
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
  target: 'node20',
  packages: 'external',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
};

/** CommonJS has no import.meta; this is the same fact. */
const importMeta = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};

rmSync(`${root}dist`, { recursive: true, force: true });
await Promise.all([
  build({
    ...common,
    ...importMeta,
    entryPoints: {
      main: 'src/cli/main.ts',
      hook: 'src/cli/hook/client.ts',
      'index-thread': 'src/services/repo/index/index-worker.ts',
      'parse-thread': 'src/services/repo/index/parse/parse-worker.ts',
      'scan-thread': 'src/services/repo/search/exact/scan-worker.ts',
    },
    format: 'cjs',
    // Lazy packages are required: a script run from its compiled form has no other way to load them without a warning.
    supported: { 'dynamic-import': false },
    outExtension: { '.js': '.cjs' },
  }),
  build({ ...common, entryPoints: ['src/index.ts'], format: 'esm' }),
]);
