// Three servers with one database behind a round-robin balancer: what belongs to a session or a task works, whichever server a
// request reaches, and when one of them is killed.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tasksExtension } from '../../src/protocol/revision.ts';
import { bringAnswers } from '../oracle/conversation.ts';
import { envelope } from '../oracle/stateless-script.ts';
import { findPort, startBalancer } from '../support/balancer.ts';
import { createSharedDatabase } from '../support/databases.ts';
import { nextEvent, post, readEvents } from '../support/http.ts';
import { startHttpServer } from '../support/start-server.ts';

const servers = 3;

async function startTeam() {
  const db = await createSharedDatabase();
  const ports = await Promise.all(Array.from({ length: servers }, findPort));
  const team = await Promise.all(
    ports.map((port) =>
      startHttpServer('test/conformance/fixture/main.ts', {
        LORE_DB: db,
        LORE_PORT: String(port),
        LORE_PEER_URL: `http://127.0.0.1:${port}`,
      }),
    ),
  );
  const balancer = await startBalancer(team.map(({ url }) => url));
  return { team, balancer, url: balancer.url };
}

let running: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  running = await startTeam();
});
afterAll(async () => {
  await running.balancer.close();
  for (const { child } of running.team) child.kill('SIGKILL');
});

async function connect(url: string) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return { client, transport };
}

it('a question and a task of a client without a session are found on every server', async () => {
  const { url } = running;
  const _meta = envelope({ elicitation: {}, extensions: { [tasksExtension]: {} } });
  const request = async (method: string, params: Record<string, unknown>) => {
    const name = params.name ?? params.taskId;
    const headers = {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': String(name) }),
    };
    return post(url, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers);
  };
  const ask = async (method: string, params: Record<string, unknown>) =>
    ((await (await request(method, params)).json()) as { result: Record<string, unknown> }).result;
  const name = 'test_input_required_result_elicitation';
  for (let round = 0; round < servers; round++) {
    const asked = await ask('tools/call', { name });
    expect(await ask('tools/call', { name, ...bringAnswers(asked) })).toMatchObject({ resultType: 'complete' });
  }
  const { taskId } = await ask('tools/call', { name: 'slow_compute', arguments: { seconds: 600 } });
  for (let round = 0; round < servers; round++)
    expect(await ask('tasks/get', { taskId })).toMatchObject({ taskId, status: 'working' });
  const events = readEvents(await request('subscriptions/listen', { notifications: { taskIds: [taskId] } }));
  expect((await nextEvent(events)).data).toContain(String(taskId));
  await ask('tasks/cancel', { taskId });
  expect((await nextEvent(events)).data).toContain('"status":"cancelled"');
  for (let round = 0; round < servers; round++)
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
});

it('a session works on every server, and survives the one that holds it', async () => {
  const { team, balancer, url } = running;
  const { client, transport } = await connect(url);
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { username: 'ada', email: 'ada@example.com' },
  }));
  const updated = new Set<string>();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.add(params.uri));
  const ask = () => client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } });
  for (let round = 0; round < servers; round++) {
    expect(await client.callTool({ name: 'greet', arguments: { name: 'you' } })).toMatchObject({ isError: false });
    expect(JSON.stringify(await ask())).toContain('ada@example.com');
  }
  // Cancellation reaches the server that runs the call.
  const cancelling = new AbortController();
  const slow = client.callTool({ name: 'slow_compute', arguments: { seconds: 600 } }, undefined, {
    signal: cancelling.signal,
  });
  cancelling.abort('enough');
  await expect(slow).rejects.toThrow('enough');
  await client.subscribeResource({ uri: 'lore://recent' });
  const remember = async (content: string) =>
    JSON.stringify(await (await connect(url)).client.callTool({ name: 'remember', arguments: { content } }));
  expect(await remember('The gateway uses port 9443.')).toContain('"isError":false');
  await expect.poll(() => [...updated]).toEqual(['lore://recent']);

  const id = transport.sessionId as string;
  const headers = { 'Mcp-Session-Id': id };
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const statusAt = async (server: string, more = {}) => (await post(server, ping, { ...headers, ...more })).status;
  // Such a request is not passed on, so only the server that holds the session serves it.
  const own = await Promise.all(team.map((one) => statusAt(one.url, { 'Lore-Forwarded': '1' })));
  expect([...own].sort()).toEqual([200, 404, 404]);
  const holder = own.indexOf(200);
  const ended = once(team[holder]?.child as ChildProcess, 'exit');
  team[holder]?.child.kill('SIGKILL');
  await ended;
  balancer.servers = team.filter((_, at) => at !== holder).map((one) => one.url);
  updated.clear();
  for (let round = 0; round < servers; round++) expect(JSON.stringify(await ask())).toContain('ada@example.com');
  expect(await remember('The gateway now uses port 7001.')).toContain('"isError":false');
  await expect.poll(() => [...updated]).toEqual(['lore://recent']);
  await transport.terminateSession();
  expect(await Promise.all(Array.from({ length: servers }, () => statusAt(url)))).toEqual([404, 404, 404]);
});
