// The location of the database: by default in the platform's folder for user data. Locations are shown without passwords.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export function defaultLocation(env: NodeJS.ProcessEnv = process.env): string {
  return join(dataFolder(env), 'lorekeeper', 'lore.db');
}

/** The folder for other files of the installation: the database's own, if that is a file. */
export function folderBeside(location: string, env: NodeJS.ProcessEnv = process.env): string {
  const isFile = location !== '' && location !== ':memory:' && !/^postgres(ql)?:/.test(location);
  return resolve(dirname(isFile ? location : defaultLocation(env)));
}

function dataFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}

export function describeLocation(location: string): string {
  // Up to the last @: an unescaped password may contain one, or a slash.
  return location.replace(/^(\w+:\/\/[^:@/]*)(:.*)?@/, '$1@');
}

/** Whether it is on a server, which several machines may use. */
export function isShared(location: string): boolean {
  return /^postgres(ql)?:/.test(location);
}
