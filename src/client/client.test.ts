// Our client with a real child process of each era.
import { describe, expect, it, onTestFinished } from 'vitest';
import { upstreamFile } from '../../test/support/upstream/upstream.ts';
import type { Questions } from '../core/call.ts';
import { type Client, type ClientOptions, connectClient } from './client.ts';
import { overStdio } from './stdio-wire.ts';

async function connect(args: string[], options: ClientOptions & { lines?: string[] } = {}): Promise<Client> {
  const { lines = [], ...rest } = options;
  const open = overStdio({
    program: process.execPath,
    args: [upstreamFile, ...args],
    log: (line) => lines.push(line),
  });
  const client = await connectClient(open, rest);
  onTestFinished(() => client.close());
  return client;
}

const call = (client: Client, name: string, value?: string, context = {}) =>
  client.request('tools/call', { name, arguments: { value } }, context);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe.each(['session', 'stateless'])('a client of a server of the era "%s"', (era) => {
  it('agrees on a revision, and reads whole lists', async () => {
    const client = await connect(['--era', era]);
    expect(client.server).toMatchObject({
      revision: era === 'session' ? '2025-11-25' : '2026-07-28',
      name: 'small',
      version: '1.0.0',
    });
    expect((await client.list('tools')).map(({ name }) => name)).toContain('rich');
    expect(await client.list('resources')).toHaveLength(1);
  });

  it('passes progress and logs to the call they belong to', async () => {
    const seen: unknown[] = [];
    const client = await connect(['--era', era]);
    const result = await call(client, 'report', undefined, {
      progress: (...facts: unknown[]) => seen.push(facts),
      log: (...facts: unknown[]) => seen.push(facts),
      ask: async () => ({}),
    });
    expect(textOf(result)).toBe('reported');
    expect(seen).toEqual([
      ['info', 'halfway', 'small'],
      [1, 2, 'half'],
    ]);
  });

  it('answers questions of the server through the caller', async () => {
    const client = await connect(['--era', era]);
    const ask = async (questions: Questions) =>
      Object.fromEntries(Object.entries(questions).map(([key, { method }]) => [key, { action: 'accept', method }]));
    const context = { ask, can: ['elicitation', 'roots', 'sampling'] };
    for (const [tool, method] of [
      ['elicit', 'elicitation/create'],
      ['sample', 'sampling/createMessage'],
      ['roots', 'roots/list'],
    ] as const)
      expect(JSON.parse(textOf(await call(client, tool, undefined, context)))).toEqual({
        answer: { action: 'accept', method },
        ...(era === 'stateless' && { state: 'sealed' }),
      });
  });

  it('cancels a request, and goes on', async () => {
    const client = await connect(['--era', era]);
    const controller = new AbortController();
    const hanging = call(client, 'hang', undefined, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    expect(JSON.parse(textOf(await call(client, 'cancelled')))).toHaveLength(1);
    expect(client.inFlight).toBe(era === 'session' ? 0 : 1);
  });

  it('reports an error of the server as a failure with its code', async () => {
    const client = await connect(['--era', era]);
    await expect(call(client, 'refuse')).rejects.toMatchObject({ name: 'UpstreamFailure', code: -32602 });
    await expect(client.request('nothing', {})).rejects.toMatchObject({ code: -32601 });
  });

  it('fails all requests at once when the process dies, with its last words', async () => {
    const lines: string[] = [];
    const client = await connect(['--era', era], { lines });
    const calls = [call(client, 'hang'), call(client, 'hang'), call(client, 'crash', 'bye')];
    for (const one of await Promise.allSettled(calls))
      expect(one).toMatchObject({ reason: { word: 'unavailable', message: expect.stringContaining('status 3') } });
    expect(lines).toEqual(['about to crash', 'bye']);
    await expect(call(client, 'echo')).rejects.toMatchObject({ word: 'unavailable' });
  });
});

describe('a client', () => {
  it('falls back to initialize when a server does not answer discover', async () => {
    const client = await connect(['--era', 'silent'], { discoverMs: 1 });
    expect(client.server.revision).toBe('2025-11-25');
  });

  it('asks again when a server without initialize was only slow to start', async () => {
    const client = await connect(['--era', 'stateless'], { discoverMs: 1 });
    expect(client.server.revision).toBe('2026-07-28');
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('accepts the revision %s', async (revision) => {
    const client = await connect(['--era', 'session', '--revision', revision], { era: 'session' });
    expect(client.server.revision).toBe(revision);
  });

  it('refuses an unknown revision', async () => {
    await expect(connect(['--revision', '1999-01-01'], { era: 'session' })).rejects.toThrow('"1999-01-01"');
  });

  it('reports changed lists', async () => {
    const notices: string[] = [];
    const client = await connect([], { notice: (method) => notices.push(method) });
    await call(client, 'change');
    expect(notices).toEqual(['notifications/tools/list_changed']);
  });

  it('does not pass a question to a client if requests of several are in flight', async () => {
    const client = await connect([]);
    const asking = (name: string) => ({
      client: name,
      can: ['elicitation'],
      ask: async () => ({ answer: { by: name } }),
    });
    void call(client, 'hang', undefined, asking('a')).catch(() => {});
    expect(textOf(await call(client, 'elicit', undefined, asking('b')))).toContain('no call of a single client');
    expect(textOf(await call(client, 'elicit', undefined, asking('a')))).toContain('"by":"a"');
  });

  it('says when the program does not exist', async () => {
    const open = overStdio({ program: 'no-such-program-here', args: [], log: () => {} });
    await expect(connectClient(open)).rejects.toThrow('it is not installed');
  });
});
