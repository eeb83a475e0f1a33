// How every measure is taken: all servers in turn, round after round, so that a noisy spell hits everyone alike.
import { performance } from 'node:perf_hooks';
import { readCpuMs } from './process-cost.mjs';

/**
 * @typedef {object} Context
 * @property {string | undefined} ours the bundled Lorekeeper
 * @property {string | undefined} bundledSdk SDK v2 bundled the way ours is
 * @property {boolean} quick
 * @property {(text: string) => void} progress
 */
/** @typedef {{ id: string, about: string, run: (context: Context) => Promise<import('./statistics.mjs').Table[]> }} Measure */

/**
 * @template S
 * @param {Map<string, S>} subjects by server id
 * @param {number} count of rounds
 * @param {(subject: S, id: string) => Promise<Record<string, number>>} take
 */
export async function takeRounds(subjects, count, take) {
  /** @type {Map<string, Record<string, number>[]>} */
  const rounds = new Map([...subjects.keys()].map((id) => [id, []]));
  const ids = [...subjects.keys()];
  for (let round = 0; round < count; round += 1) {
    // The order turns by one each round: nobody always runs after the same neighbour.
    for (let n = 0; n < ids.length; n += 1) {
      const id = ids[(round + n) % ids.length];
      rounds.get(id)?.push(await take(/** @type {S} */ (subjects.get(id)), id));
    }
  }
  return rounds;
}

// As long in a quick run as in a full one: figures of code that is not yet compiled would mislead.
export const warmUpMs = 1500;

/**
 * Warm a server up for a while and find how many calls fill a round of the wished length.
 * @param {(count: number) => Promise<void>} runCalls @param {number} roundMs
 */
export async function calibrateCount(runCalls, roundMs) {
  let count = 20;
  for (const begin = performance.now(); ; ) {
    const start = performance.now();
    await runCalls(count);
    const spent = performance.now() - start;
    const wished = Math.ceil((count * roundMs) / spent);
    if (performance.now() - begin > warmUpMs && spent > roundMs / 8) return wished;
    count = Math.min(wished, count * 4);
  }
}

/**
 * Time calls and charge them to the server process.
 * @param {number} pid @param {number} count @param {(count: number) => Promise<void>} runCalls
 */
export async function chargeCalls(pid, count, runCalls) {
  const cpu = readCpuMs(pid);
  const start = performance.now();
  await runCalls(count);
  const ms = performance.now() - start;
  return { cpuUs: ((readCpuMs(pid) - cpu) * 1000) / count, perSecond: (count * 1000) / ms, ms: ms / count };
}
