// Benches on any Node, though Node 20 does not read TypeScript: those written in it are bundled with the product's sources
// into a throw-away folder and run from there; single modules of the product are bundled in memory.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('../', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'error',
};

/**
 * Calls the `run` that a file exports. The folder it is given is its own and is gone afterwards.
 * @param {string} entry from the root
 * @param {object} options
 */
export async function runBundled(entry, options) {
  const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
  try {
    // What is left outside the bundle is looked for beside it, as in an installed package.
    for (const name of ['node_modules', 'assets']) symlinkSync(join(root, name), join(folder, name));
    mkdirSync(join(folder, 'dist'));
    symlinkSync(join(root, 'dist/rank-thread.cjs'), join(folder, 'dist/rank-thread.cjs'));
    const outfile = join(folder, 'dist/run.mjs');
    await build({ ...common, entryPoints: [entry], outfile, packages: 'external' });
    const { run } = await import(pathToFileURL(outfile).href);
    return await run({ root, folder, ...options });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * All that these modules export, as one.
 * @param {string[]} entries from the root
 */
export async function loadBundled(...entries) {
  const contents = entries.map((entry) => `export * from './${entry}';`).join('\n');
  const stdin = { contents, resolveDir: root };
  const { outputFiles } = await build({ ...common, stdin, write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}
