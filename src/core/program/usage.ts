// The number of processes that a program has started and their memory. The remote end of a connection can make both grow,
// and the system does not limit them. Only Linux reports them, in /proc; other systems have only the timeout.
import { readFile } from 'node:fs/promises';

export interface Usage {
  processes: number;
  bytes: number;
}

const checkEveryMs = 250;

/** Calls back once when there is more than allowed; returns how to stop watching. */
export function watchUsage(pid: number, most: Usage, exceeded: (state: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    const { processes, bytes } = await measure(pid);
    if (timer === undefined) return;
    if (processes > most.processes) exceeded(`starts more than ${most.processes} processes`);
    else if (bytes > most.bytes) exceeded(`uses more than ${Math.round(most.bytes / 1024 ** 2)} MB of memory`);
    else timer = setTimeout(check, checkEveryMs).unref();
  };
  timer = setTimeout(check, checkEveryMs).unref();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

async function measure(root: number): Promise<Usage> {
  const pids = [root];
  let bytes = 0;
  // It grows while it is read.
  for (const pid of pids) {
    const [status, children] = await Promise.all([read(pid, 'status'), read(pid, `task/${pid}/children`)]);
    bytes += 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    pids.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return { processes: pids.length, bytes };
}

/** A process that has just ended has no files. */
function read(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}
