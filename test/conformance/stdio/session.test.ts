// The sessionful revisions over stdio, besides the tools themselves: lists, resources, prompts, completion, subscriptions,
// logging, progress and cancellation.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../support/stdio-client.ts';
import { pixelPng } from '../fixture/samples.ts';
import { ableClient, open, sessionRevisions, share, startSession } from './conversation.ts';

const staticText = {
  uri: 'test://static-text',
  mimeType: 'text/plain',
  text: 'This is the content of the static text resource.',
};

const uris = ['test://static-binary', 'test://static-text', 'test://watched-resource'];

const reads: [uri: string, contents: Json][] = [
  ['test://static-text', staticText],
  ['test://static-binary', { uri: 'test://static-binary', mimeType: 'image/png', blob: pixelPng }],
  ['test://watched-resource', { uri: 'test://watched-resource', text: 'Watched resource content, version 1' }],
  [
    'test://template/123/data',
    {
      uri: 'test://template/123/data',
      mimeType: 'application/json',
      text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
    },
  ],
];

function user(content: Json): Json {
  return { role: 'user', content };
}

function say(text: string): Json {
  return user({ type: 'text', text });
}

/** One member of every entry of a list. */
function valuesOf(list: unknown, key: string): unknown[] {
  return (list as Json[]).map((entry) => entry[key]);
}

const embedded = {
  type: 'resource',
  resource: { uri: 'test://x', mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
};

const prompts: [name: string, args: Json, messages: Json[]][] = [
  ['test_simple_prompt', {}, [say('This is a simple prompt for testing.')]],
  [
    'test_prompt_with_arguments',
    { arg1: 'hello', arg2: 'world' },
    [say("Prompt with arguments: arg1='hello', arg2='world'")],
  ],
  [
    'test_prompt_with_embedded_resource',
    { resourceUri: 'test://x' },
    [user(embedded), say('Please process the embedded resource above.')],
  ],
  [
    'test_prompt_with_image',
    {},
    [user({ type: 'image', data: pixelPng, mimeType: 'image/png' }), say('Please analyze the image above.')],
  ],
  ['test_input_required_result_prompt', {}, [say('Prompt with context: Alice')]],
];

describe.each(sessionRevisions)('%s', (revision) => {
  const shared = share(() => startSession(revision));

  it('is negotiated by initialize', async () => {
    const client = await open();
    const clientInfo = { name: 'stdio-test', version: '1' };
    const params = { protocolVersion: revision, capabilities: ableClient, clientInfo };
    const { result } = await client.request('initialize', params);
    expect(result).toMatchObject({
      protocolVersion: revision,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        ...(revision >= '2025-03-26' ? { completions: {} } : {}),
      },
      serverInfo: { name: 'lorekeeper', version: expect.any(String) },
      instructions: expect.any(String),
    });
    expect(Object.keys(result?.serverInfo ?? {}).includes('title')).toBe(revision >= '2025-06-18');
    expect(Object.keys(result?.capabilities ?? {}).includes('completions')).toBe(revision >= '2025-03-26');
    expect(await client.request('ping')).toMatchObject({ result: {} });
  });

  it('lists and reads resources', async () => {
    const client = shared();
    const listed = await client.request('resources/list');
    expect(valuesOf(listed.result?.resources, 'uri')).toEqual(expect.arrayContaining(uris));
    const templates = await client.request('resources/templates/list');
    expect(valuesOf(templates.result?.resourceTemplates, 'uriTemplate')).toContain('test://template/{id}/data');
    for (const [uri, contents] of reads) {
      expect(await client.request('resources/read', { uri })).toMatchObject({ result: { contents: [contents] } });
    }
    const missing = await client.request('resources/read', { uri: 'test://nowhere' });
    expect(missing.error).toMatchObject({ code: -32002 });
  });

  it('lists, gets and completes prompts', async () => {
    const client = shared();
    const listed = await client.request('prompts/list');
    expect(valuesOf(listed.result?.prompts, 'name')).toEqual(expect.arrayContaining(prompts.map(([name]) => name)));
    for (const [name, args, messages] of prompts) {
      const got = await client.request('prompts/get', { name, arguments: args });
      expect(got.result?.messages, name).toEqual(messages);
    }
    const incomplete = await client.request('prompts/get', { name: 'test_prompt_with_arguments', arguments: {} });
    expect(incomplete.error).toMatchObject({ code: -32602 });
    const completed = await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    });
    expect(completed.result?.completion).toEqual({ values: ['paris', 'park', 'party'], total: 3, hasMore: false });
    const byTemplate = await client.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'test://template/{id}/data' },
      argument: { name: 'id', value: '12' },
    });
    expect(byTemplate.result?.completion).toMatchObject({ values: ['123', '124'] });
  });

  it('sends list changes to all clients, and updates only to subscribers', async () => {
    const client = await open(() => startSession(revision));
    const uri = 'test://watched-resource';
    const trigger = (what: string) => client.request('tools/call', { name: `test_trigger_${what}` });
    await trigger('resource_update');
    await client.request('resources/subscribe', { uri });
    await trigger('resource_update');
    expect(await client.nextNotification('notifications/resources/updated')).toMatchObject({ params: { uri } });
    await client.request('resources/unsubscribe', { uri });
    await trigger('resource_update');
    for (const list of ['tool', 'prompt', 'resource']) {
      await trigger(`${list}_change`);
      await client.nextNotification(`notifications/${list}s/list_changed`);
    }
    expect(client.heard('notifications/resources/updated')).toHaveLength(1);
    const { result } = await client.request('tools/list');
    expect(valuesOf(result?.tools, 'name')).toContain('test_passing_tool');
  });

  it.each([
    [undefined, ['info', 'error']],
    ['debug', ['debug', 'info', 'error']],
    ['error', ['error']],
  ])('logs at level %s', async (level, heard) => {
    const client = shared();
    if (level) expect(await client.request('logging/setLevel', { level })).toMatchObject({ result: {} });
    const before = client.heard('notifications/message').length;
    await client.request('tools/call', { name: 'test_logging_tool' });
    const messages = client.heard('notifications/message').slice(before);
    expect(messages.map(({ params }) => params?.level)).toEqual(heard);
    expect(messages.at(-1)?.params).toEqual({ level: 'error', logger: 'fixture', data: 'a failure' });
  });

  it('reports progress only on request', async () => {
    const client = shared();
    const call = { name: 'test_tool_with_progress' };
    await client.request('tools/call', call);
    expect(client.heard('notifications/progress')).toEqual([]);
    await client.request('tools/call', { ...call, _meta: { progressToken: 'p' } });
    const reports = client.heard('notifications/progress').map(({ params }) => params);
    expect(reports.map((params) => params?.progress)).toEqual([0, 50, 100]);
    expect(reports.every((params) => params?.progressToken === 'p' && params.total === 100)).toBe(true);
    expect(reports.every((params) => 'message' in (params ?? {}))).toBe(revision >= '2025-03-26');
  });

  it('sends nothing for a cancelled call', async () => {
    const client = shared();
    const params = { name: 'test_tool_with_progress', _meta: { progressToken: 'gone' } };
    const id = `cancelled-${revision}`;
    const call = { jsonrpc: '2.0', id, method: 'tools/call', params };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } };
    // In one piece: on a busy machine the call could otherwise end before it is cancelled.
    client.sendText(`${JSON.stringify(call)}\n${JSON.stringify(cancel)}`);
    // As long as the cancelled one would have taken.
    await client.request('tools/call', { name: 'test_tool_with_progress' });
    const reports = client.heard('notifications/progress');
    expect(reports.filter(({ params: told }) => told?.progressToken === 'gone')).toHaveLength(1);
    expect(client.received.some((entry) => !Array.isArray(entry) && entry.id === id)).toBe(false);
  });

  it('refuses invalid arguments with a readable error', async () => {
    const client = shared();
    const response = await client.request('tools/call', { name: 'greet', arguments: { name: 7 } });
    const details = { path: 'arguments.name', expected: 'string', received: 'number' };
    if (revision === '2025-03-26') {
      expect(response.error).toMatchObject({ code: -32602, data: { code: 'invalid_input', ...details } });
      return;
    }
    const error = { code: 'invalid_input', details };
    expect(response.result).toMatchObject({ isError: true, structuredContent: { success: false, error } });
    if (revision !== '2024-11-05') return;
    expect(response.result).toMatchObject({ success: false, error: { code: 'InvalidParams', details } });
  });

  it('refuses names of any length without repeating them', async () => {
    const client = shared();
    const long = 'a/'.repeat(500_000);
    const argument = { name: 'x', value: long };
    for (const [method, params] of [
      ['resources/read', { uri: long }],
      ['tools/call', { name: long, arguments: {} }],
      ['tools/call', { name: 'greet', arguments: { [long]: 1 } }],
      ['prompts/get', { name: long }],
      ['prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: long, arg2: 'x' } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: long }, argument: { name: 'x', value: '' } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'test_simple_prompt' }, argument }],
      ['tools/list', { cursor: long }],
      [long, {}],
    ] as const) {
      const answer = JSON.stringify(await client.request(method, params));
      expect(answer.length, method.slice(0, 40)).toBeLessThan(2_000);
      expect(answer).toMatch(/error/);
    }
  });

  it('does not know methods of the stateless revision', async () => {
    const client = shared();
    for (const method of ['server/discover', 'subscriptions/listen', 'tasks/get', 'no/such']) {
      expect((await client.request(method)).error, method).toMatchObject({ code: -32601 });
    }
    const unknown = await client.request('tools/call', { name: 'no_such_tool' });
    expect(unknown.error).toMatchObject({ code: -32602 });
  });
});

describe('initialize', () => {
  it.each([
    ['2023-01-01', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    [undefined, '2024-11-05'],
    [5, '2024-11-05'],
  ])('answers revision %s with %s', async (protocolVersion, expected) => {
    const client = await open();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'stdio-test', version: '1' } };
    expect(await client.request('initialize', params)).toMatchObject({ result: { protocolVersion: expected } });
  });

  it('accepts empty params', async () => {
    const answer = await (await open()).request('initialize', {});
    expect(answer).toMatchObject({ result: { protocolVersion: '2024-11-05', serverInfo: { name: 'lorekeeper' } } });
  });

  it('requires clientInfo', async () => {
    const client = await open();
    const { error } = await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    expect(error).toMatchObject({ code: -32602, data: { path: 'params.clientInfo' } });
  });
});
