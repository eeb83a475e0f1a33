// The programs of threads, linked beside a bench's bundle, where the product has them.
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface BenchOptions {
  args: readonly string[];
  /** Of the project. */
  root: string;
  /** Of the bundle. */
  folder: string;
}

export function linkPrograms(root: string, folder: string): void {
  for (const name of ['index-thread.cjs', 'parse-thread.cjs']) {
    if (!existsSync(join(root, 'dist', name))) throw new Error('Cannot run: npm run build comes first');
    symlinkSync(join(root, 'dist', name), join(folder, 'dist', name));
  }
}
