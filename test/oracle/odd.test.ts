// Requests that are well-formed and strange: whatever is answered, it must be a message of the revision, and never the
// server's own failure.
import { expect, it } from 'vitest';
import { askForm, defineTool, schema } from '../../src/index.ts';
import { legacyRevisions, type Revision } from '../../src/protocol/revision.ts';
import { type Conversation, clientInfo, openConversation } from './conversation.ts';
import { envelope } from './stateless-script.ts';

const inherited = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
const untellable = { toString: 1, valueOf: 2 };

const oddRequests: [string, object][] = [
  ...inherited.map((method): [string, object] => [method, {}]),
  ...inherited.map((name): [string, object] => ['tools/call', { name }]),
  ...inherited.map((name): [string, object] => ['prompts/get', { name }]),
  ...inherited.map((name): [string, object] => [
    'completion/complete',
    { ref: template, argument: { name, value: 'x' } },
  ]),
  ...[null, '', 0, [], [''], {}, untellable].map((cursor): [string, object] => ['tools/list', { cursor }]),
  ['tools/call', { name: untellable }],
  ['tools/call', { name: 'greet', arguments: JSON.parse('{"__proto__":{"name":"Ada"}}') }],
  ['resources/read', { uri: untellable }],
  ['resources/read', { uri: '' }],
  ['resources/read', { uri: 'test://template/%E0%A4%A/data' }],
];

const oddTokens = [null, true, 1.5, {}, [], untellable, ''];

async function provoke(talk: Conversation, wrap: (params: object, more?: object) => object): Promise<string[]> {
  const faults: string[] = [];
  for (const [method, params] of oddRequests) {
    const answer = await talk.request(method, wrap(params));
    if (answer?.error?.code === -32603) faults.push(`${method} ${JSON.stringify(params)}: ${answer.error.message}`);
  }
  const name = 'test_tool_with_progress';
  await Promise.all(oddTokens.map((progressToken) => talk.request('tools/call', wrap({ name }, { progressToken }))));
  return faults;
}

it.concurrent.each([...legacyRevisions, '2026-07-28'] as const)('%s', async (revision: Revision) => {
  const talk = await openConversation(revision);
  const session = revision !== '2026-07-28';
  if (session) await talk.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
  const faults = await provoke(talk, (params, more = {}) => {
    return { ...params, _meta: session ? more : envelope({}, more) };
  });
  await talk.app.stop();
  expect([...talk.judge.problems, ...faults]).toEqual([]);
});

it('a list does not depend on earlier lists', async () => {
  for (const cursor of [null, '', [], 0]) {
    const fresh = await openConversation('2025-11-25');
    const first = await fresh.request('tools/list', { cursor });
    const used = await openConversation('2025-11-25');
    await used.request('tools/list');
    const later = await used.request('tools/list', { cursor });
    expect(later?.error?.code, `cursor ${JSON.stringify(cursor)}`).toBe(first?.error?.code);
  }
});

it('every failure is a response', async () => {
  const anything = defineTool({
    name: 'anything',
    title: 'Anything',
    description: 'Takes anything and asks.',
    effect: 'read',
    input: schema.object({ value: schema.json() }),
    async run(_, call) {
      const form = { type: 'object', properties: { ok: { type: 'boolean' } } };
      await call.ask({ ok: askForm('Go on?', form) });
      return 'done';
    },
  });
  const talk = await openConversation('2026-07-28');
  await talk.app.registry.register({ id: 'odd', title: 'Odd', summary: 'Odd.', tools: () => [anything] });
  const value = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const _meta = JSON.stringify(envelope());
  const params = `{"name":"anything","arguments":{"value":${value}},"_meta":${_meta}}`;
  // Too deep to be told back in `requestState`: a failure, but not one that may end the process.
  const answer = await talk.sendText(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  expect(answer).toContain('"error"');
});
