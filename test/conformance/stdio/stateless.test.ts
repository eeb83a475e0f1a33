// The stateless revision over stdio: what the envelope must carry, what every result has, and what is never sent.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../support/stdio-client.ts';
import { open, share, startSession, wrap } from './conversation.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';

const client = share();

describe('envelope', () => {
  it('is sufficient: initialize is not needed, and client info is optional', async () => {
    const meta = { [version]: '2026-07-28', [capabilities]: {} };
    const { result } = await client().request('server/discover', { _meta: meta });
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
      ttlMs: expect.any(Number),
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'lorekeeper', version: expect.any(String) } },
    });
  });

  it.each<[string, Json, Json]>([
    ['lacks capabilities', { [version]: '2026-07-28' }, { code: -32602 }],
    ['has odd capabilities', { [version]: '2026-07-28', [capabilities]: [] }, { code: -32602 }],
    [
      'has an odd log level',
      { [version]: '2026-07-28', [capabilities]: {}, 'io.modelcontextprotocol/logLevel': 'loud' },
      { code: -32602 },
    ],
    [
      'names an unknown revision',
      { [version]: 'v999', [capabilities]: {} },
      { code: -32022, data: { supported: ['2026-07-28'], requested: 'v999' } },
    ],
    [
      'names a revision that has sessions',
      { [version]: '2025-11-25', [capabilities]: {} },
      { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    ],
  ])('is refused when it %s', async (_, meta, error) => {
    expect((await client().request('tools/list', { _meta: meta })).error).toMatchObject(error);
  });

  it('is independent of a session on the same connection', async () => {
    const both = await open(() => startSession('2025-03-26'));
    const modern = await both.request('tools/call', wrap({ name: 'test_audio_content' }));
    expect(modern.result).toMatchObject({ resultType: 'complete', content: [{ type: 'audio' }] });
    const legacy = await both.request('tools/call', { name: 'test_audio_content' });
    expect(legacy.result).not.toHaveProperty('resultType');
  });
});

describe('methods', () => {
  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    '%s can be cached',
    async (method) => {
      const { result } = await client().request(method, wrap());
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' });
    },
  );

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'shutdown',
    'tasks/list',
    'tasks/result',
    'no/such',
  ])('%s does not exist', async (method) => {
    expect((await client().request(method, wrap())).error).toMatchObject({ code: -32601 });
  });

  it('reads resources, and names a missing one', async () => {
    const read = await client().request('resources/read', wrap({ uri: 'test://template/7/data' }));
    expect(read.result).toMatchObject({
      resultType: 'complete',
      ttlMs: expect.any(Number),
      contents: [{ uri: 'test://template/7/data', text: '{"id":"7","templateTest":true,"data":"Data for ID: 7"}' }],
    });
    const missing = await client().request('resources/read', wrap({ uri: 'test://nowhere' }));
    expect(missing.error).toMatchObject({ code: -32602, data: { uri: 'test://nowhere' } });
  });

  it('completes with the arguments already filled in', async () => {
    const params = {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg2', value: 'ish' },
      context: { arguments: { arg1: 'park' } },
    };
    const { result } = await client().request('completion/complete', wrap(params));
    expect(result?.completion).toMatchObject({ values: ['parkish'] });
  });

  it('refuses invalid arguments with a readable error, and an unknown tool with a protocol error', async () => {
    const bad = await client().request(
      'tools/call',
      wrap({ name: 'json_schema_2020_12_tool', arguments: { name: 'x' } }),
    );
    expect(bad.result).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_input' } } });
    const unknown = await client().request('tools/call', wrap({ name: 'no_such_tool' }));
    expect(unknown.error).toMatchObject({ code: -32602 });
  });
});

describe('a running request', () => {
  it('logs only from the level that the request names', async () => {
    const call = { name: 'test_logging_tool' };
    await client().request('tools/call', wrap(call));
    expect(client().heard('notifications/message')).toEqual([]);
    await client().request('tools/call', wrap(call, { logLevel: 'info' }));
    expect(
      client()
        .heard('notifications/message')
        .map(({ params }) => params?.level),
    ).toEqual(['info', 'error']);
  });

  it('reports progress only on request', async () => {
    const call = { name: 'test_tool_with_progress' };
    await client().request('tools/call', wrap(call));
    await client().request('tools/call', wrap(call, { progressToken: 'p' }));
    const reports = client()
      .heard('notifications/progress')
      .map(({ params }) => params);
    expect(reports.map((params) => [params?.progressToken, params?.progress])).toEqual([
      ['p', 0],
      ['p', 50],
      ['p', 100],
    ]);
  });

  it('sends nothing after it is cancelled', async () => {
    const call = { name: 'test_tool_with_progress' };
    const id = client().start('tools/call', wrap(call, { progressToken: 'gone' }));
    await client().next(({ params }) => params?.progressToken === 'gone');
    client().notify('notifications/cancelled', { requestId: id });
    // As long as the cancelled one would have taken.
    await client().request('tools/call', wrap(call));
    const reports = client().heard('notifications/progress');
    expect(reports.filter(({ params }) => params?.progressToken === 'gone')).toHaveLength(1);
    expect(client().received.some((entry) => !Array.isArray(entry) && entry.id === id)).toBe(false);
  });

  it('never receives a request from the server', async () => {
    const { result } = await client().request('tools/call', wrap({ name: 'test_streaming_elicitation' }));
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(client().received.some((entry) => 'method' in entry && 'id' in entry)).toBe(false);
  });
});
