// Lets one process clone an address while others wait. It only saves work: two clones of the same address do not conflict,
// because each is put in place atomically.
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 100;
/** The holder touches the file regularly. */
const touchEveryMs = 2_000;
const deadAfterMs = 20_000;

export async function withLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) {
    if (await isDead(path)) await removeDead(path);
    else await pause(lookEveryMs, undefined, { signal });
  }
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, touchEveryMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(`${process.pid} ${hostname()}`);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isDead(path: string): Promise<boolean> {
  const [text, found] = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => []);
  if (text === undefined || found === undefined) return false;
  if (Date.now() - found.mtimeMs > deadAfterMs) return true;
  const [pid = '', host] = text.split(' ');
  return host === hostname() && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** By renaming, so that only one process removes a stale lock. */
async function removeDead(path: string): Promise<void> {
  const aside = `${path}.${process.pid}.dead`;
  await rename(path, aside).catch(() => {});
  await rm(aside, { force: true });
}
