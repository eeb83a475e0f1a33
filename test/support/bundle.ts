// Turns a TypeScript or package entry into one file that plain Node runs. A run bundles each entry once.
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { runFolder } from './run.ts';

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
  const name = `${entry.replace(/\W+/g, '-')}.${options.format === 'cjs' ? 'cjs' : 'mjs'}`;
  const made = join(runFolder(), name);
  if (existsSync(made)) return made;
  // Two files may make it at the same time; whoever finds it finds all of it.
  const outfile = join(runFolder(), `${process.pid}-${name}`);
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
  renameSync(outfile, made);
  return made;
}
