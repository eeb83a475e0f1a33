// The files of this installation: its settings, its database, the audit log and what lies beside them. Tools that look at
// files leave them alone wherever they are.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { auditKeyFile } from './audit-key.ts';
import { defaultLocation, folderBeside } from './location.ts';

/** Their names in the folder of the database, besides its own. */
const besides = /^(?:audit[-.]|pseudonyms?[-.])/;

export function createOwnFiles(settingsFile: string, location: string): (path: string) => boolean {
  const folder = folderBeside(location);
  const database = basename(location || defaultLocation());
  return (path) => {
    const name = basename(path);
    if (name === basename(settingsFile) && isSame(path, settingsFile)) return true;
    if (name.startsWith(auditKeyFile) && isSame(dirname(path), dirname(resolve(settingsFile)))) return true;
    const isNamed = name.startsWith(database) || besides.test(name);
    return isNamed && isSame(dirname(path), folder);
  };
}

function isSame(path: string, other: string): boolean {
  return path === other || path === real(other);
}

/** Also of a file that is not there yet. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
  }
}
