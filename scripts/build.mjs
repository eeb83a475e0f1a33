// Bundles the command line, the embedding entry and the threads into dist/, as CommonJS, which Node starts faster than modules
// and can keep compiled. What a start needs is one file, the tools are another; the rest is loaded in parts when it is called.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;

/** @type {import('rolldown').InputOptions} */
const input = {
  cwd: root,
  platform: 'node',
  external: /^(?![./]|\0)/,
  transform: { target: 'node20' },
  checks: { ineffectiveDynamicImport: false },
};

/** @type {import('rolldown').OutputOptions} */
const output = {
  dir: dist,
  format: 'cjs',
  exports: 'named',
  // A script run from its compiled form has no other way to load a package without a warning.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  // A module runs when it is first imported, whichever file it is in.
  strictExecutionOrder: true,
  minify: { compress: false, mangle: false, codegen: true },
};

rmSync(dist, { recursive: true, force: true });
const program = await rolldown({ ...input, input: { main: 'src/cli/main.ts', library: 'src/index.ts' } });
const { output: files } = await program.write({
  ...output,
  codeSplitting: {
    groups: [
      {
        name: 'start',
        test: /src[\\/](?:app|cli[\\/](?:main|start|commands[\\/]stdio|alone)|transport[\\/]stdio)\.ts$/,
      },
      { name: 'http', test: /src[\\/]transport[\\/]http\.ts$/ },
      { name: 'ui', test: /src[\\/]transport[\\/]ui[\\/]/ },
      { name: 'tools', test: /src[\\/]services[\\/]index\.ts$/ },
      // In one file, which a server soon has in memory: an update must not take from it what it has not loaded yet.
      // Without index.ts, which would load the HTTP server for every command.
      { name: 'rest', test: /src[\\/](?!cli|index\.ts)/ },
    ],
  },
});
// These run alone, in a process or thread that has to start quickly: each has all it needs in its file.
const alone = {
  hook: 'src/cli/hook/client.ts',
  'index-thread': 'src/services/repo/index/index-worker.ts',
  'parse-thread': 'src/services/repo/index/parse/parse-worker.ts',
  'rank-thread': 'src/search/rank/deep/rank-worker.ts',
  'scan-thread': 'src/services/repo/search/exact/scan-worker.ts',
};
for (const [name, entry] of Object.entries(alone)) {
  await (await rolldown({ ...input, input: { [name]: entry } })).write({ ...output, codeSplitting: false });
}

// The program of exported servers, which have no packages: everything is in one file, and Ajv runs when a schema needs it.
const withAjv = {
  name: 'with-ajv',
  load: (/** @type {string} */ file) =>
    /[\\/]core[\\/]ajv\.ts$/.test(file) ? "export const loadAjv = () => require('ajv/dist/2020.js');" : null,
};
const server = await rolldown({
  ...input,
  input: { 'forge-server': 'src/standalone.ts' },
  external: /^node:/,
  plugins: [withAjv],
});
await server.write({
  ...output,
  format: 'esm',
  entryFileNames: '[name].mjs',
  codeSplitting: false,
  minify: true,
});

// The dashboard, for browsers: one module with the first views, and parts that are loaded when they are opened.
const pages = await rolldown({ cwd: root, platform: 'browser', input: { app: 'src/web/main.tsx' } });
await pages.write({
  dir: `${dist}/web`,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: true,
  // Otherwise what all views share is a second file of the first view.
  codeSplitting: { groups: [{ name: 'app', test: /src[\\/]web[\\/]main\.tsx$/ }] },
});
for (const name of ['index.html', 'style.css']) copyFileSync(`${root}src/web/${name}`, `${dist}/web/${name}`);

// The page that MCP hosts show: one file, with everything in it.
const inside = await rolldown({ cwd: root, platform: 'browser', input: { page: 'src/web/page.tsx' } });
const { output: parts } = await inside.generate({ format: 'iife', codeSplitting: false, minify: true });
const script = parts[0].code.replaceAll('</script', '<\\/script');
const style = readFileSync(`${root}src/web/style.css`, 'utf8');
writeFileSync(
  `${dist}/web/page.html`,
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Lorekeeper</title><style>${style}</style></head><body><script>${script}</script></body></html>\n`,
);

const library = files.find((file) => file.fileName === 'library.cjs');
// Modules import the same files: an app and the classes it throws are there once.
writeFileSync(
  `${dist}/index.js`,
  `import library from './library.cjs';\nexport const { ${library?.type === 'chunk' ? library.exports.join(', ') : ''} } = library;\n`,
);
