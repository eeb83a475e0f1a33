// Malformed HTTP requests over raw connections that are used again: each is answered with the status and the error it must
// have, the process stays up and small, and the next good request works.
import { afterAll, expect, it } from 'vitest';
import { goodRequest, type HttpCase, makeHttpCase, type Surroundings } from './http-cases.ts';
import { writeRequest } from './http-message.ts';
import { type HttpServerTarget, startHttpTarget } from './http-server.ts';
import { createHttpTarget } from './http-target.ts';
import { readMemory, reportRun } from './memory.ts';
import { planCases, seed, tellHowToRepeat } from './plan.ts';

const maxBytes = 1024 * 1024;
const maxGrowthMb = 100;
const maxPeakMb = 300;
const connections = 4;
const warmUp = 1_000;

const runs: [revision: string, batches: boolean][] = [
  ['2025-03-26', true],
  ['2025-11-25', false],
];
const share = 0.28 / runs.length;

const servers: HttpServerTarget[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

it.concurrent.each(runs)('%s', { timeout: 600_000 }, async (revision, batches) => {
  const server = await startHttpTarget(revision, { LORE_MAX_MESSAGE_BYTES: String(maxBytes), LOG_LEVEL: 'error' });
  servers.push(server);
  const { port, pid, sessionId } = server;
  const around: Surroundings = { ground: { batches, maxBytes }, sessionId, seed };

  const numbers = planCases(
    share,
    runs.findIndex(([name]) => name === revision),
  );
  const problems = await tryAll(port, numbers.slice(0, warmUp), around);
  const settled = readMemory(pid).now;
  problems.push(...(await tryAll(port, numbers.slice(warmUp), around)));
  const { now, peak } = readMemory(pid);
  reportRun({ target: `http ${revision}`, seed, cases: numbers.length, settled, now, peak });

  expect(server.alive, server.log()).toBe(true);
  expect(problems.slice(0, 12).join('\n')).toBe('');
  if (numbers.length > 2 * warmUp) expect(now - settled, `${settled} MB, then ${now}`).toBeLessThan(maxGrowthMb);
  expect(peak).toBeLessThan(maxPeakMb);
  expect(server.log()).toBe('');
});

/** Spreads the cases over a few connections at once; each is told to be good again after every case. */
async function tryAll(port: number, numbers: number[], around: Surroundings): Promise<string[]> {
  const problems: string[] = [];
  const good: HttpCase = {
    number: -1,
    kind: 'good',
    bytes: writeRequest(goodRequest(around)),
    expected: [{ status: 200, outcome: '"p" result' }],
  };
  const queue = [...numbers].reverse();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const target = createHttpTarget(port);
      for (let number = queue.pop(); number !== undefined && problems.length < 12; number = queue.pop()) {
        const given = makeHttpCase(number, around);
        const found = (await target.try(given)) ?? prefix('and then: ', await target.try(good));
        if (found !== undefined) problems.push(explain(given, found));
      }
      target.close();
    }),
  );
  return problems;
}

function prefix(words: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : words + problem;
}

function explain({ number, kind, bytes }: HttpCase, problem: string): string {
  const shown = JSON.stringify(bytes.subarray(0, 600).toString('latin1'));
  const repeat = tellHowToRepeat('http.test.ts', number);
  return `case ${number} (${kind}), ${bytes.length} bytes: ${problem}\n  ${shown}\n  ${repeat}`;
}
