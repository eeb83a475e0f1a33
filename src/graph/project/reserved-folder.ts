// Folders that are never a project: the root of a file system, home folders, and the folders above them. A server that was
// started in one of them must not treat all of a person's files as one project.
import { realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute } from 'node:path';
import { isInside } from '../../core/path.ts';

/** `real` is a real path. */
export function isReserved(real: string): boolean {
  return dirname(real) === real || listHomes().some((home) => isInside(home, real));
}

/** The home folders and all folders above them, as real paths. */
export function listReserved(): string[] {
  const found = new Set<string>();
  for (const home of listHomes()) {
    for (let place = home; !found.has(place); place = dirname(place)) found.add(place);
  }
  return [...found];
}

let known: { key: string; homes: readonly string[] } | undefined;

/** From the environment and from the account: either may have been changed for this process. */
function listHomes(): readonly string[] {
  const { HOME, USERPROFILE } = process.env;
  const key = JSON.stringify([HOME, USERPROFILE]);
  if (known?.key === key) return known.homes;
  const named = [HOME, USERPROFILE, homedir(), readAccount()];
  const homes = named.flatMap((home) => (home !== undefined && isAbsolute(home) ? [home, realOf(home)] : []));
  known = { key, homes: [...new Set(homes)] };
  return known.homes;
}

function readAccount(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // The account may have no entry, as in some containers.
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
