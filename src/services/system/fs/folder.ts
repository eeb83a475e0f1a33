// Folders held open while they are read, so that nothing put in their place meanwhile, least of all a link, leads anywhere
// else. On Linux the kernel vouches for what is held; elsewhere what was read counts only if the folder is still the same.
import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export interface HeldFolder {
  /** Names below this path are names in the held folder. */
  path: string;
  /** Bytes that its list of names takes. */
  size: number;
  /** To be asked after reading. */
  isStill(): boolean;
  close(): void;
}

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** `folder` is a real path; nothing where it is not one any more, or may not be read. */
export function holdFolder(folder: string): HeldFolder | undefined {
  if (process.platform === 'win32') return watchFolder(folder);
  let fd: number;
  try {
    fd = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch {
    return undefined;
  }
  const close = () => closeSync(fd);
  const held = linkOf(fd);
  if (held === folder) {
    return { path: `/proc/self/fd/${fd}`, size: fstatSync(fd).size, isStill: () => true, close };
  }
  close();
  return held === undefined ? watchFolder(folder) : undefined;
}

function watchFolder(folder: string): HeldFolder | undefined {
  const isStill = () => {
    try {
      return realpathSync.native(folder) === folder;
    } catch {
      return false;
    }
  };
  return isStill() ? { path: folder, size: 0, isStill, close: () => {} } : undefined;
}

/** Opens a file by its name in a held folder: no link is followed, no pipe waited for. */
export function openHeld(held: HeldFolder, name: string): number | undefined {
  try {
    return openSync(join(held.path, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function linkOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
