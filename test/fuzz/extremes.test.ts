// The worst that one message of allowed size can do: depth in every place, and batches that ask for far more than they
// are. All cases, no chance involved, with production defaults.
import { afterEach, expect, it } from 'vitest';
import { compareOutcomes } from './compare.ts';
import { deepPlaces, deepValues, nest } from './depth.ts';
import { startHttpTarget } from './http-server.ts';
import { readMemory } from './memory.ts';
import { predictBytes } from './model.ts';
import { type StdioTarget, startStdioTarget } from './stdio-target.ts';

const maxBytes = 8 * 1024 * 1024;
const maxPeakMb = 700;

/** An array everywhere, and the other values where they stand alone. */
const deepMessages = deepPlaces.flatMap((place, index) => {
  const values = index === 0 ? deepValues : deepValues.slice(0, 1);
  return values.map((value) => ({ place, bytes: Buffer.from(nest(place, value, `"deep-${index}"`)) }));
});

let target: StdioTarget | undefined;
afterEach(() => target?.server.stop());

async function start(): Promise<StdioTarget> {
  target = await startStdioTarget({ LOG_LEVEL: 'silent' });
  return target;
}

it('values a hundred thousand levels deep', async () => {
  let { exchange } = await start();
  const problems: string[] = [];
  for (const { place, bytes } of deepMessages) {
    const expected = predictBytes(bytes, { batches: true, maxBytes });
    const found = await exchange(Buffer.concat([bytes, Buffer.from('\n')])).then(
      (answers) => compareOutcomes(expected === undefined ? [] : [expected], answers),
      (error: Error) => error.message.slice(0, 300),
    );
    if (found !== undefined) problems.push(`${place}: ${found}`);
    if (!target?.alive) exchange = (await start()).exchange;
  }
  expect(problems).toEqual([]);
});

it('values a hundred thousand levels deep, over HTTP', async () => {
  const problems: string[] = [];
  let http = await startHttpTarget('2025-03-26', { LOG_LEVEL: 'silent' });
  for (const { place, bytes } of deepMessages) {
    const outcome = predictBytes(bytes, { batches: true, maxBytes });
    // What is stateless is refused for its headers, which say nothing of it.
    const expected = place.includes('protocolVersion') ? {} : { outcome };
    const found = await http.tryBody(bytes, { status: [200, 202, 400], ...expected });
    if (found !== undefined) problems.push(`${place}: ${found.slice(0, 300)}`);
    if (!http.alive) http = await startHttpTarget('2025-03-26', { LOG_LEVEL: 'silent' });
  }
  await http.stop();
  expect(problems).toEqual([]);
});

it.each([
  ['nothing but ones', '1'],
  ['requests for a long list', '{"jsonrpc":"2.0","id":#,"method":"tools/list"}'],
  ['requests for nothing there', '{"jsonrpc":"2.0","id":#,"method":"x"}'],
])('a batch of %s of maximum length', async (_, element) => {
  const { request, server } = await start();
  const elements: string[] = [];
  for (let length = 2, index = 0; ; index++) {
    const next = element.replace('#', String(index));
    length += next.length + 1;
    if (length > maxBytes) break;
    elements.push(next);
  }
  server.child.stdin.write(`[${elements.join(',')}]\n`);
  const started = performance.now();
  await request('ping');
  expect(performance.now() - started, 'milliseconds until the next request was answered').toBeLessThan(5_000);
  expect(readMemory(server.child.pid as number).peak, 'megabytes').toBeLessThan(maxPeakMb);
});
