// However a server is ended, what is under way is answered or refused, nothing is left unsaid, and the status is 0.
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { initialize, post } from '../support/http.ts';
import { startHttpServer, startServer } from '../support/start-server.ts';
import { StdioClient } from '../support/stdio-client.ts';

const entry = 'test/e2e/fixture/slow.ts';
const answered = { result: { content: [{ type: 'text', text: 'here it is' }] } };
const refused = { error: { code: -32800, message: 'Request cancelled: the server is shutting down' } };

describe('a stdio server with running calls', () => {
  it.each(['SIGTERM', 'SIGINT', 'end of input', 'shutdown'])('ends on %s', async (how) => {
    const server = await startServer(entry, 'stdio');
    const client = new StdioClient(server);
    const exit = once(server.child, 'exit');
    const soon = client.start('tools/call', { name: 'soon' });
    const never = client.start('tools/call', { name: 'never' });
    await client.request('ping');
    if (how === 'end of input') server.child.stdin.end();
    else if (how === 'shutdown') expect(await client.request('shutdown')).toMatchObject({ result: {} });
    else server.child.kill(how as NodeJS.Signals);
    expect(await client.response(soon)).toMatchObject(answered);
    expect(await client.response(never)).toMatchObject(refused);
    expect(await exit).toEqual([0, null]);
  });

  it('ends when its output is closed', async () => {
    const server = await startServer(entry, 'stdio');
    const exit = once(server.child, 'exit');
    server.child.stdout.destroy();
    server.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(await exit).toEqual([0, null]);
  });
});

describe('an HTTP server with running calls', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s', async (signal) => {
    const { child, url } = await startHttpServer(entry);
    const exit = once(child, 'exit');
    const session = await initialize(url);
    const call = (id: number, name: string) =>
      post(url, { jsonrpc: '2.0', id, method: 'tools/call', params: { name } }, session).then((reply) => reply.json());
    const calls = [call(1, 'soon'), call(2, 'never')];
    const ping = await post(url, { jsonrpc: '2.0', id: 3, method: 'ping' }, session);
    expect(ping.status).toBe(200);
    child.kill(signal);
    expect(await calls[0]).toMatchObject(answered);
    expect(await calls[1]).toMatchObject(refused);
    expect(await exit).toEqual([0, null]);
  });

  it('refuses pending requests of a deleted session', async () => {
    const { child, url } = await startHttpServer(entry);
    const session = await initialize(url);
    const call = post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'never' } }, session);
    await post(url, { jsonrpc: '2.0', id: 3, method: 'ping' }, session);
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect(await (await call).json()).toMatchObject({ error: { code: -32800 } });
    child.kill('SIGKILL');
  });
});
