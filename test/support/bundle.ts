// Turns a TypeScript or package entry into one file that plain Node runs. Each test file bundles an entry once.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { createFolder } from './folder.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const made = new Map<string, Promise<string>>();

/** The path of the bundle; `entry` is relative to the repository. */
export function bundle(entry: string, options: BuildOptions & { format: 'esm' | 'cjs' }): Promise<string> {
  let path = made.get(entry);
  if (!path) {
    path = write(entry, options);
    made.set(entry, path);
  }
  return path;
}

async function write(entry: string, options: BuildOptions): Promise<string> {
  const folder = createFolder('bundle');
  // Packages left outside the bundle are looked for beside it.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, options.format === 'cjs' ? 'bundle.cjs' : 'bundle.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    // Files of ours are found from where the shipped bundle would be.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'dist/bundle.mjs')).href) },
    ...options,
  });
  return outfile;
}
