// How sessions are asked: which request goes out, and what becomes of each kind of answer.
import { describe, expect, it } from 'vitest';
import type { Json, Message, StdioClient } from '../../support/stdio-client.ts';
import { ableClient, sessionRevisions, share, startSession } from './conversation.ts';

/** A client whose answers are up to the test. */
async function startSilent(revision: string, capabilities: Json): Promise<StdioClient> {
  const client = await startSession(revision, capabilities);
  client.answerers = {};
  return client;
}

function reply(client: StdioClient, { id }: Message, answer: Json): void {
  client.send({ jsonrpc: '2.0', id, ...answer });
}

const form = { name: 'test_elicitation', arguments: { message: 'Who are you?' } };

describe.each(sessionRevisions)('%s', (revision) => {
  const able = share(() => startSilent(revision, ableClient));
  const unable = share(() => startSilent(revision, {}));

  it('asks the model by sampling/createMessage', async () => {
    const client = able();
    const id = client.start('tools/call', { name: 'test_sampling', arguments: { prompt: 'Say hello' } });
    const question = await client.nextNotification('sampling/createMessage');
    expect(question.params).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }],
      maxTokens: 100,
    });
    const content = { type: 'text', text: 'hello' };
    reply(client, question, { result: { role: 'assistant', model: 'm', content } });
    expect((await client.response(id)).result?.content).toEqual([{ type: 'text', text: 'LLM response: hello' }]);
  });

  it('asks the user by elicitation/create, without a mode', async () => {
    const client = able();
    const id = client.start('tools/call', form);
    const question = await client.nextNotification('elicitation/create');
    expect(question.params).toEqual({
      message: 'Who are you?',
      requestedSchema: expect.objectContaining({ type: 'object', required: ['username', 'email'] }),
    });
    reply(client, question, { result: { action: 'decline' } });
    const text = 'User response: action=decline, content={}';
    expect((await client.response(id)).result?.content).toEqual([{ type: 'text', text }]);
  });

  it('serves other requests while it waits', async () => {
    const client = able();
    const id = client.start('tools/call', form);
    const question = await client.nextNotification('elicitation/create');
    expect(await client.request('ping')).toMatchObject({ result: {} });
    reply(client, question, { result: { action: 'cancel' } });
    expect((await client.response(id)).result?.isError).toBe(false);
  });

  it.each([
    ['an error', { error: { code: -1, message: 'no' } }],
    ['a malformed answer', { result: { action: 'perhaps' } }],
  ])('fails after %s', async (_, answer) => {
    const client = able();
    const id = client.start('tools/call', form);
    reply(client, await client.nextNotification('elicitation/create'), answer);
    expect((await client.response(id)).error).toMatchObject({ code: -32001, data: { code: 'unavailable' } });
  });

  it('does not send requests to a client without the capability', async () => {
    const client = unable();
    const { error } = await client.request('tools/call', form);
    expect(error).toMatchObject({ code: -32001, data: { code: 'unavailable' } });
    expect(client.heard('elicitation/create')).toEqual([]);
    const chosen = await client.request('tools/call', { name: 'test_input_required_result_capabilities' });
    const text = 'No supported capabilities declared';
    expect(chosen.result?.content).toEqual([{ type: 'text', text }]);
  });
});
