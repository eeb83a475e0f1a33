// Finds a program on PATH in folders that nobody but the person fills: a project's own folder may be on it, too, and what
// a repository brings along must not be run.
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside } from './path.ts';

export async function findProgram(
  name: string,
  outside: readonly string[],
  path = process.env.PATH ?? '',
): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = await realpath(join(folder, file)).catch(() => undefined);
    if (found === undefined || outside.some((root) => isInside(found, root) || isInside(folder, root))) continue;
    const isRunnable = await access(found, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isRunnable) return found;
  }
  return undefined;
}
