// Malformed messages over the oldest transport: what can be taken in is answered through the stream, what cannot is refused
// at once, and the stream goes on.
import { afterAll, expect, it } from 'vitest';
import { nextEvent, readEvents } from '../support/http.ts';
import { describeText } from './answers.ts';
import { compareOutcomes } from './compare.ts';
import { type HttpServerTarget, startHttpTarget } from './http-server.ts';
import { makeBody } from './line-cases.ts';
import { planCases, seed, tellHowToRepeat } from './plan.ts';

const maxBytes = 1024 * 1024;
const ground = { batches: true, maxBytes };
const mark = '"mark" result';

let server: HttpServerTarget | undefined;
afterAll(() => server?.stop());

it('before initialize', { timeout: 600_000 }, async () => {
  server = await startHttpTarget('2025-11-25', { LORE_MAX_MESSAGE_BYTES: String(maxBytes), LOG_LEVEL: 'error' });
  const origin = `http://127.0.0.1:${server.port}`;
  const events = readEvents(await fetch(`${origin}/mcp/sse`));
  const { data: endpoint } = await nextEvent(events);

  const post = async (body: Buffer | string) => {
    const response = await fetch(origin + endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const problems: string[] = [];
  for (const number of planCases(0.02, 0)) {
    const { bytes, expected, kind } = makeBody(seed + 3, number, ground);
    const { status, text } = await post(bytes);
    const received = status === 202 ? [] : [describeText(text)];
    await post('{"jsonrpc":"2.0","id":"mark","method":"ping"}');
    for (let told = ''; told !== mark; ) {
      told = describeText((await nextEvent(events)).data ?? '');
      if (told !== mark) received.push(told);
    }
    const found = compareOutcomes(expected === undefined ? [] : [expected], received);
    const shown = JSON.stringify(bytes.subarray(0, 300).toString('latin1'));
    if (found !== undefined)
      problems.push(`${kind}: ${found}\n  ${shown}\n  ${tellHowToRepeat('sse.test.ts', number)}`);
    if (problems.length >= 12) break;
  }
  expect(problems.join('\n')).toBe('');
  expect(server.alive).toBe(true);
  expect(server.log()).toBe('');
});
