// A lock between processes, held by the kernel through SQLite, so that it ends with its process. Nothing is written to its file.

import { makePrivate } from '../private-file.ts';
import { loadDriver } from './driver.ts';
import { isBusy } from './failure.ts';

export interface FileLock {
  /** One holder at a time on this machine; undefined if the lock could not be taken in time. */
  hold<T>(work: () => Promise<T>): Promise<{ value: T } | undefined>;
  close(): void;
}

const longestPauseMs = 20;

/** Throws the driver's error if the file cannot be created. */
export function openFileLock(path: string, timeoutMs: number): FileLock {
  makePrivate(path);
  const database = new (loadDriver())(path);
  database.exec('pragma busy_timeout = 0');

  async function take(): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    for (let round = 1; ; round++) {
      try {
        database.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > until) return false;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(round * 2, longestPauseMs)));
      }
    }
  }

  return {
    async hold(work) {
      if (!(await take())) return undefined;
      try {
        return { value: await work() };
      } finally {
        database.exec('rollback');
      }
    },
    close: () => database.close(),
  };
}
