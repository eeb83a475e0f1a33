// What the server says when a call takes too long, answers too much or is ended by the server itself.
import { expect, it } from 'vitest';
import { legacyRevisions } from '../../src/protocol/revision.ts';
import { clientInfo, openConversation } from './conversation.ts';
import { envelope } from './stateless-script.ts';

const limits = { LORE_CALL_TIMEOUT_MS: '20', LORE_MAX_RESULT_BYTES: '1024' };
const long = { name: 'slow_compute', arguments: { seconds: 60 } };
const large = { name: 'greet', arguments: { name: 'x'.repeat(2_000) } };
const loud = { name: 'test_tool_with_logging', arguments: {} };

it.concurrent.each(legacyRevisions)('%s', async (revision) => {
  const talk = await openConversation(revision, limits);
  await talk.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
  expect((await talk.request('tools/call', long))?.error?.code).toBe(-32003);
  expect((await talk.request('tools/call', large))?.error?.code).toBe(-32801);
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
});

it.concurrent('2026-07-28', async () => {
  const talk = await openConversation('2026-07-28', limits);
  const _meta = envelope({});
  for (const params of [long, large]) {
    const answer = await talk.request('tools/call', { ...params, _meta });
    expect(answer?.result?.isError).toBe(true);
  }
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
});

it.concurrent.each([...legacyRevisions, '2026-07-28'] as const)('%s, ended by the server', async (revision) => {
  const talk = await openConversation(revision);
  const session = revision !== '2026-07-28';
  if (session) await talk.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
  const running = talk.request('tools/call', session ? long : { ...long, _meta: envelope({}) });
  const short = talk.request('tools/call', session ? loud : { ...loud, _meta: envelope({}) });
  await talk.app.stop();
  expect((await running)?.error?.code).toBe(-32800);
  expect((await short)?.result?.content).toHaveLength(1);
  expect(talk.judge.problems).toEqual([]);
});
