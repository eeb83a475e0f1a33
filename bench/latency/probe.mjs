// Loaded into the server before its own code: the longest time for which the event loop was not served. Counted in the main
// thread's CPU time where Linux tells it, since on a busy machine the clock also counts what other processes do.
import { readFileSync } from 'node:fs';

const everyMs = 5;
const schedule = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds of CPU of the main thread. */
function readCpu() {
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

let before = readCpu();
let longest = 0;

setInterval(() => {
  const now = readCpu();
  longest = Math.max(longest, now - before);
  before = now;
}, everyMs).unref();

process.on('message', () => {
  longest = Math.max(longest, readCpu() - before);
  before = readCpu();
  process.send?.({ longest });
  longest = 0;
});
process.channel?.unref();
