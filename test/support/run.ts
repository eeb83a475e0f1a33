// Setup of a whole run: a folder that all of its test files share, for what is made once, as bundles and a database server.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopPostgresIn } from './postgres-server.ts';

const variable = 'LORE_TEST_RUN';

/** Memory as a file system, which Linux has. Tests create and remove so many files that a disk takes as long as their code. */
const memory = '/dev/shm';
const enoughBytes = 4 * 2 ** 30;

function hasMemory(): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > enoughBytes;
}

export function setup(): () => Promise<void> {
  if (hasMemory()) process.env.TMPDIR = memory;
  const folder = mkdtempSync(join(tmpdir(), 'lore-test-run-'));
  // The server runs as another user where the tests run as root.
  chmodSync(folder, 0o711);
  process.env[variable] = folder;
  // Packages left outside a bundle are looked for beside it.
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  return async () => {
    if (existsSync(postgresUrl())) await stopPostgresIn(postgresFolder());
    rmSync(folder, { recursive: true, force: true });
  };
}

export function runFolder(): string {
  return process.env[variable] as string;
}

export const postgresFolder = () => join(runFolder(), 'postgres');

/** A file that holds its address once it runs. */
export const postgresUrl = () => join(runFolder(), 'postgres-url');
