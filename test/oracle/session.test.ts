// Every message to a client of a sessionful revision validates against the schema of that revision.
import { expect, it } from 'vitest';
import { legacyRevisions } from '../../src/protocol/revision.ts';
import { openConversation } from './conversation.ts';
import { converseInSession } from './session-script.ts';
import { requestTypes, resultTypes } from './types.ts';

const stateless = ['server/discover', 'subscriptions/listen', 'tasks/get', 'tasks/update', 'tasks/cancel'];

it.concurrent.each(legacyRevisions)('%s', async (revision) => {
  const talk = await openConversation(revision, { LORE_PAGE_SIZE: '7' });
  const called = await converseInSession(talk, revision);
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
  expect(called).toContain('status');
  expect([...talk.judge.seen]).toEqual(
    expect.arrayContaining([
      ...Object.keys(resultTypes)
        .filter((method) => !stateless.includes(method))
        .map((method) => `result ${method}`),
      ...Object.keys(requestTypes)
        .filter((method) => revision >= '2025-06-18' || method !== 'elicitation/create')
        .map((method) => `request ${method}`),
      'notification notifications/progress',
      'notification notifications/message',
      'notification notifications/tools/list_changed',
      'notification notifications/prompts/list_changed',
      'notification notifications/resources/list_changed',
      'notification notifications/resources/updated',
      'error -32700',
      'error -32600',
      'error -32601',
      'error -32602',
      'error -32002',
      'error -32001',
    ]),
  );
});
