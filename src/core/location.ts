// Where the database is: by default in the platform's usual place for a user's data; and how to name a location to people
// without giving its password away.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export function defaultLocation(env: NodeJS.ProcessEnv = process.env): string {
  return join(dataFolder(env), 'lorekeeper', 'lore.db');
}

/** The folder for what an installation keeps besides its database: the database's own, where that is a file. */
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
  // To the last @: a password that was not escaped may hold one, or a slash.
  return location.replace(/^(\w+:\/\/[^:@/]*)(:.*)?@/, '$1@');
}

/** Whether it is a server's database, which several machines may use. */
export function isShared(location: string): boolean {
  return /^postgres(ql)?:/.test(location);
}
