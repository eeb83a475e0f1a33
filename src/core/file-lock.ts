// Lets one process at a time do some work, by a file that exists meanwhile. A lock is released when its holder dies: the holder's
// process no longer exists, or the file was not touched while this process watched it, which also holds after a machine slept.
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createId } from './id.ts';

const lookEveryMs = 100;
/** The holder touches the file regularly. */
const touchEveryMs = 2_000;
const deadAfterMs = 20_000;

export async function withFileLock<T>(
  path: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const isDead = watchHolder(path);
  const mark = `${process.pid} ${hostname()} ${createId('lock')}`;
  while (!(await take(path, mark))) {
    if (await isDead()) await removeDead(path, isDead);
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
    // Not one that another process took because this one had stopped for long.
    if ((await readFile(path, 'utf8').catch(() => '')) === mark) await rm(path, { force: true });
  }
}

async function take(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(mark);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Ages are measured by this process: clocks of machines differ, and a time of sleep is not a time without a touch. */
function watchHolder(path: string): () => Promise<boolean> {
  let touched: number | undefined;
  let since = 0;
  return async () => {
    const [text, found] = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => []);
    if (text === undefined || found === undefined) return false;
    const [pid = '', host] = text.split(' ');
    if (host === hostname() && !isRunning(Number(pid))) return true;
    if (touched !== found.mtimeMs) [touched, since] = [found.mtimeMs, performance.now()];
    return performance.now() - since > deadAfterMs;
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** One process at a time, and after another look: otherwise a second one would remove the lock that the first has just taken. */
async function removeDead(path: string, isDead: () => Promise<boolean>): Promise<void> {
  const guard = `${path}.dead`;
  if (await take(guard, '')) {
    try {
      if (await isDead()) await rm(path, { force: true });
    } finally {
      await rm(guard, { force: true });
    }
    return;
  }
  // Its holder died within these few lines, if it stays.
  const found = await stat(guard).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > deadAfterMs) await rm(guard, { force: true });
  else await pause(lookEveryMs);
}
