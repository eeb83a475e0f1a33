// Two servers with one database, as behind a load balancer: the answer to a question may reach the other one.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { bringAnswers, openConversation } from './conversation.ts';
import { envelope } from './stateless-script.ts';

const name = 'test_input_required_result_elicitation';
const _meta = envelope({ elicitation: {} });

async function openPair(first: string, second: string) {
  return Promise.all([first, second].map((db) => openConversation('2026-07-28', { LORE_DB: db })));
}

it('a question is answered on another server with the same database', async () => {
  const db = join(createFolder('shared'), 'lore.db');
  const [one, two] = await openPair(db, db);
  const asked = await one?.request('tools/call', { name, _meta });
  expect(asked?.result).toMatchObject({ resultType: 'input_required' });
  const answered = await two?.request('tools/call', { name, _meta, ...bringAnswers(asked?.result ?? {}) });
  expect(answered?.result).toMatchObject({ resultType: 'complete' });
  await Promise.all([one?.app.stop(), two?.app.stop()]);
});

it('a question is not answered on a server with another database', async () => {
  const [one, two] = await openPair(join(createFolder('one'), 'lore.db'), join(createFolder('two'), 'lore.db'));
  const asked = await one?.request('tools/call', { name, _meta });
  const refused = await two?.request('tools/call', { name, _meta, ...bringAnswers(asked?.result ?? {}) });
  expect(refused?.error?.message).toContain('did not create it');
  await Promise.all([one?.app.stop(), two?.app.stop()]);
});
