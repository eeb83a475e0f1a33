// Every message to a client of a sessionful revision validates against the schema of that revision.
import { expect, it } from 'vitest';
import { legacyRevisions } from '../../src/protocol/revision.ts';
import { openConversation } from './conversation.ts';
import { converseInSession, seenInSession } from './session-script.ts';

it.concurrent.each(legacyRevisions)('%s', async (revision) => {
  const talk = await openConversation(revision, { LORE_PAGE_SIZE: '7' });
  const called = await converseInSession(talk, revision);
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
  expect(called).toContain('status');
  expect([...talk.judge.seen]).toEqual(expect.arrayContaining(seenInSession(revision)));
});
