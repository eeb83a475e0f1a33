// One client's hostile text must not keep another waiting. By order, not by the clock: pings are answered while a call runs.
// How late they are is measured by bench/latency.
import { expect, it } from 'vitest';
import { initialize, post, serveLore } from '../support/http.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} };

it('answers pings while several clients save long texts', async () => {
  const { url } = await serveLore();
  const session = await initialize(url);
  let left = 3;
  const calls = Array.from({ length: left }, async (_, i) => {
    const answer = await post(`${url}/checkpoint/save`, { content: `${i} ${'xoxb-'.repeat(80_000)}` });
    left--;
    return answer.status;
  });
  let answered = 0;
  while (left > 0) {
    expect((await post(url, ping, session)).status).toBe(200);
    if (left > 0) answered++;
  }
  expect(await Promise.all(calls)).toEqual([200, 200, 200]);
  expect(answered).toBeGreaterThan(1);
});

it('refuses a message of brackets before it is parsed', async () => {
  const { url } = await serveLore();
  const deep = '['.repeat(1_000_000);
  const answer = await post(url, deep);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: { code: -32700, message: 'Parse error: the message nests deeper than 500 levels' },
  });
  const plain = await post(`${url}/recall`, `{"query":"x","a":${deep}`);
  expect(await plain.json()).toMatchObject({
    error: { code: 'invalid_input', message: 'Cannot read the body: it nests deeper than 500 levels' },
  });
});
