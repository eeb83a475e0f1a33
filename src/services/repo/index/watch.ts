// Reports changed files of a tree. Where the system has no recursive watch (Linux), folders are watched one by one, and only
// those with indexed files, because installed and built files would be most of a tree. If watching fails, known files are
// polled every few seconds. It never keeps the process alive.
import { type FSWatcher, watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

export interface Watching {
  /** Files that are indexed now: their folders are watched. */
  follow(paths: Iterable<string>): void;
  stop(): void;
}

/** Editors write in several steps. */
const settleMs = 60;
const pollMs = 4_000;
const mostFolders = 8_000;

export function watchTree(root: string, changed: (paths: string[]) => void): Watching {
  const watchers = new Map<string, FSWatcher>();
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let polled: Polling | undefined;
  let stopped = false;

  function note(path: string): void {
    if (stopped || path === '' || path.split('/').includes('.git')) return;
    pending.add(path);
    timer ??= setTimeout(flush, settleMs).unref();
  }

  function flush(): void {
    timer = undefined;
    const paths = [...pending];
    pending.clear();
    if (paths.length > 0) changed(paths);
  }

  function add(folder: string, recursive: boolean): void {
    if (stopped || watchers.has(folder) || watchers.size >= mostFolders) return;
    try {
      const watcher = watch(join(root, folder), { persistent: false, recursive }, (_event, name) => {
        if (name !== null) note(posix.join(folder, name.split(sep).join('/')));
      });
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      polled ??= poll(root, note);
    }
  }

  const native = process.platform === 'darwin' || process.platform === 'win32';
  add('', native);
  return {
    follow(paths) {
      const folders = new Set<string>();
      for (const path of paths) {
        polled?.files.set(path, polled.files.get(path) ?? 0);
        for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
          const folder = path.slice(0, at);
          if (folders.has(folder)) break;
          folders.add(folder);
        }
      }
      if (!native) for (const folder of folders) add(folder, false);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      polled?.stop();
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

interface Polling {
  /** When each was changed last; 0 before that is known. */
  files: Map<string, number>;
  stop(): void;
}

function poll(root: string, note: (path: string) => void): Polling {
  const files = new Map<string, number>();
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    for (const [path, known] of files) {
      const modified = (await lstat(join(root, path)).catch(() => undefined))?.mtimeMs ?? -1;
      files.set(path, modified);
      if (known !== 0 && known !== modified) note(path);
    }
    isLooking = false;
  }, pollMs).unref();
  return { files, stop: () => clearInterval(timer) };
}
