// The SQLite driver: built into Node from 22.13 on, a package with the same interface for older versions.
import { createRequire } from 'node:module';
import { LoreError } from '../../core/error.ts';

export type Driver = typeof import('@photostructure/sqlite').DatabaseSync;

let driver: Driver | undefined;

export function loadDriver(): Driver {
  driver ??= (loadBuiltIn() ?? loadPackage()).DatabaseSync;
  return driver;
}

/** Node 22 and 23 print a warning that it is experimental, which would clutter a client's log. */
function loadBuiltIn(): { DatabaseSync: Driver } | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite' as 'fs') as unknown as { DatabaseSync: Driver } | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loadPackage(): { DatabaseSync: Driver } {
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite');
  } catch (cause) {
    const state = `Node.js ${process.versions.node} has no SQLite, and the package "@photostructure/sqlite" is missing`;
    throw new LoreError('unavailable', `Cannot open the database: ${state}`, {
      hint: 'Use Node.js 22.13 or newer, or install again without --omit=optional.',
      cause,
    });
  }
}
