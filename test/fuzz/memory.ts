// How much memory a process of ours holds, as the kernel counts it.
import { appendFileSync, readFileSync } from 'node:fs';

interface Memory {
  /** Megabytes. */
  now: number;
  peak: number;
}

export function readMemory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: Math.round(read('VmRSS')), peak: Math.round(read('VmHWM')) };
}

/** One line a run, for whoever sets FUZZ_REPORT to a file. */
export function reportRun(facts: { [fact: string]: unknown }): void {
  const file = process.env.FUZZ_REPORT;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(facts)}\n`);
}
