// Benches written in TypeScript: bundled with the product's sources into a throw-away folder, and run from there.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('../', import.meta.url));

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
    const outfile = join(folder, 'dist/run.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      logLevel: 'error',
    });
    const { run } = await import(pathToFileURL(outfile).href);
    return await run({ root, folder, ...options });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
