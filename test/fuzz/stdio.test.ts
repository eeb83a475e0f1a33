// Malformed lines on stdio: each is answered or dropped as it must be, the process stays up and small, and the next good
// request works. Cases go in blocks; only when a block disagrees is each of its lines tried alone.
import { afterAll, expect, it } from 'vitest';
import { compareOutcomes } from './compare.ts';
import { type LineCase, makeLine } from './line-cases.ts';
import { readMemory, reportRun } from './memory.ts';
import type { Ground } from './model.ts';
import { planCases, seed, tellHowToRepeat } from './plan.ts';
import { createRandom } from './random.ts';
import { type StdioTarget, startStdioTarget } from './stdio-target.ts';

const maxBytes = 1024 * 1024;
const blockSize = 250;
const maxGrowthMb = 100;
const maxPeakMb = 300;

const grounds: [string, string | undefined, Ground][] = [
  ['before initialize', undefined, { batches: true, maxBytes }],
  ['2025-03-26', '2025-03-26', { batches: true, maxBytes }],
  ['2025-11-25', '2025-11-25', { batches: false, maxBytes }],
];
const share = 0.7 / grounds.length;

const targets: StdioTarget[] = [];
afterAll(async () => {
  await Promise.all(targets.map(({ server }) => server.stop()));
});

async function start(revision: string | undefined): Promise<StdioTarget> {
  const target = await startStdioTarget({ LORE_MAX_MESSAGE_BYTES: String(maxBytes), LOG_LEVEL: 'error' });
  targets.push(target);
  if (revision !== undefined) {
    const clientInfo = { name: 'fuzz', version: '1' };
    await target.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
  }
  return target;
}

it.concurrent.each(grounds)('%s', { timeout: 600_000 }, async (name, revision, ground) => {
  const numbers = planCases(
    share,
    grounds.findIndex(([other]) => other === name),
  );
  const target = await start(revision);
  const tools = await target.request('tools/list');
  let settled = 0;
  for (let from = 0; from < numbers.length; from += blockSize) {
    const block = numbers.slice(from, from + blockSize).map((number) => makeLine(seed, number, ground));
    const problem = await tryBlock(target, block);
    if (problem !== undefined) throw new Error(await explain(block, problem, () => start(revision)));
    if (from === 4 * blockSize) settled = readMemory(target.server.child.pid as number).now;
  }
  expect((await target.request('tools/list')).result).toEqual(tools.result);
  const { now, peak } = readMemory(target.server.child.pid as number);
  reportRun({ target: `stdio ${name}`, seed, cases: numbers.length, settled, now, peak });
  if (settled > 0) expect(now - settled, `${settled} MB, then ${now}`).toBeLessThan(maxGrowthMb);
  expect(peak).toBeLessThan(maxPeakMb);
  const exit = new Promise((resolve) => target.server.child.once('exit', resolve));
  target.server.child.stdin.end();
  expect(await exit).toBe(0);
});

async function tryBlock(target: StdioTarget, block: LineCase[]): Promise<string | undefined> {
  const random = createRandom(seed, block[0]?.number ?? 0);
  const lines = block.flatMap(({ bytes }) => [bytes, Buffer.from(random.chance(0.1) ? '\r\n' : '\n')]);
  const bytes = Buffer.concat(lines);
  const cuts = Array.from({ length: random.int(8) }, () => random.int(bytes.length)).sort((a, b) => a - b);
  const expected = block.flatMap((line) => line.expected ?? []);
  try {
    return compareOutcomes(expected, await target.exchange(bytes, cuts));
  } catch (error) {
    return (error as Error).message;
  }
}

/** Finds the lines that are to blame, each against a server that no other line has touched since the last failure. */
async function explain(block: LineCase[], problem: string, restart: () => Promise<StdioTarget>): Promise<string> {
  const blamed: string[] = [];
  let target = await restart();
  for (const line of block) {
    const found = await tryBlock(target, [line]);
    if (found === undefined) continue;
    const shown = JSON.stringify(line.bytes.subarray(0, 300).toString('latin1'));
    blamed.push(`case ${line.number} (${line.kind}), ${line.bytes.length} bytes: ${found}\n  ${shown}`);
    blamed.push(`  ${tellHowToRepeat('stdio.test.ts', line.number)}`);
    if (blamed.length >= 20) break;
    if (!target.alive) target = await restart();
  }
  if (blamed.length === 0) blamed.push('none of its lines does it alone');
  const first = block[0]?.number;
  return [`seed ${seed}, block from case ${first}: ${problem}`, ...blamed].join('\n');
}
