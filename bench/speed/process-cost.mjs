// What a process has cost so far, read from /proc: CPU from `stat` (user + system, all threads) and resident memory.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// USER_HZ, which Linux fixes at 100 for what it shows to programs: a reading is good to 10 ms, so rounds are long.
const ticksPerSecond = 100;

/** @param {number} pid @returns {number} milliseconds of CPU */
export function readCpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The command name may contain blanks and parentheses; fields are counted from its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** @param {number} pid @returns {number} megabytes (2^20) resident */
export function readRssMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/**
 * Wait until resident memory stands still for a second, then read it.
 * @param {number} pid
 */
export async function readSettledRssMb(pid) {
  let last = readRssMb(pid);
  let still = 0;
  for (let turn = 0; turn < 100 && still < 5; turn += 1) {
    await sleep(200);
    const now = readRssMb(pid);
    still = Math.abs(now - last) < 0.25 ? still + 1 : 0;
    last = now;
  }
  return last;
}
