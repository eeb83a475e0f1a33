// Bundles Lorekeeper's bench entry with the options of scripts/build.mjs, and SDK v2 likewise for the cold start.
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workspace } from './workspace.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} entry @param {string} folder @param {'external' | 'bundle'} packages */
async function bundleEntry(entry, folder, packages) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: { main: entry },
    outdir: join(workspace, folder),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages,
    minifySyntax: true,
    minifyWhitespace: true,
    // The SDK's dependencies are partly CommonJS and look for `require`.
    banner: packages === 'bundle' ? { js: requireBanner } : {},
    logLevel: 'warning',
  });
  return join(workspace, folder, 'main.mjs');
}

const requireBanner = "import { createRequire as _cr } from 'node:module'; const require = _cr(import.meta.url);";

/** @returns {Promise<string | undefined>} the program to run; undefined while `src/app.ts` does not exist */
export async function bundleOurs() {
  const entry = join(root, 'bench/speed/rivals/lorekeeper.ts');
  if (!existsSync(entry) || !existsSync(join(root, 'src/app.ts'))) return undefined;
  // The bundle leaves packages outside, as the published one does; they are found through this link.
  symlinkSync(join(root, 'node_modules'), join(workspace, 'node_modules'));
  return bundleEntry(entry, 'ours', 'external');
}

export function bundleSdk() {
  return bundleEntry(join(root, 'bench/speed/rivals/sdk-v2.mjs'), 'sdk', 'bundle');
}
