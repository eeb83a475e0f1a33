// Three servers with one database behind a round-robin balancer: what belongs to a session or a task works, whichever server a
// request reaches, and when one of them is killed.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { legacyRevisions, tasksExtension } from '../../src/protocol/revision.ts';
import { bringAnswers, openHttpConversation } from '../oracle/conversation.ts';
import { converseInSession, seenInSession } from '../oracle/session-script.ts';
import { envelope } from '../oracle/stateless-script.ts';
import { createSharedDatabase } from '../support/databases.ts';
import { initializeWith, nextEvent, post, readEvents } from '../support/http.ts';
import { startTeam } from '../support/team.ts';

const servers = 3;

let running: Awaited<ReturnType<typeof startTeam>>;
beforeAll(async () => {
  running = await startTeam(servers, { LORE_DB: await createSharedDatabase() });
});
afterAll(() => running.stop());

async function connect<T extends Transport>(transport: T) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { username: 'ada', email: 'ada@example.com' },
  }));
  await client.connect(transport);
  const ask = async () =>
    JSON.stringify(await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } }));
  return { client, transport, ask };
}

const connectTo = (url: string) => connect(new StreamableHTTPClientTransport(new URL(url)));

/** A request of a client without a session. */
async function request(url: string, method: string, params: Record<string, unknown>) {
  const name = params.name ?? params.taskId;
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': String(name) }),
  };
  const _meta = envelope({ elicitation: {}, extensions: { [tasksExtension]: {} } });
  return post(url, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers);
}

it('a question and a task of a client without a session are found on every server', async () => {
  const { url } = running;
  const ask = async (method: string, params: Record<string, unknown>) =>
    ((await (await request(url, method, params)).json()) as { result: Record<string, unknown> }).result;
  const name = 'test_input_required_result_elicitation';
  for (let round = 0; round < servers; round++) {
    const asked = await ask('tools/call', { name });
    expect(await ask('tools/call', { name, ...bringAnswers(asked) })).toMatchObject({ resultType: 'complete' });
  }
  const { taskId } = await ask('tools/call', { name: 'slow_compute', arguments: { seconds: 600 } });
  for (let round = 0; round < servers; round++)
    expect(await ask('tasks/get', { taskId })).toMatchObject({ taskId, status: 'working' });
  const events = readEvents(await request(url, 'subscriptions/listen', { notifications: { taskIds: [taskId] } }));
  expect((await nextEvent(events)).data).toContain(String(taskId));
  await ask('tasks/cancel', { taskId });
  expect((await nextEvent(events)).data).toContain('"status":"cancelled"');
  for (let round = 0; round < servers; round++)
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
  const { taskId: asking } = await ask('tools/call', { name: 'confirm_delete', arguments: { filename: 'a.txt' } });
  const waiting = () => ask('tasks/get', { taskId: asking });
  await expect.poll(waiting).toMatchObject({ status: 'input_required' });
  const { inputResponses } = bringAnswers(await waiting());
  await ask('tasks/update', { taskId: asking, inputResponses });
  await expect.poll(async () => JSON.stringify(await waiting())).toContain('Deleted a.txt');
});

it.concurrent.each(legacyRevisions)('every feature of a %s session works on every server', async (revision) => {
  const talk = openHttpConversation(revision, running.url);
  await converseInSession(talk, revision);
  expect(talk.judge.problems).toEqual([]);
  expect([...talk.judge.seen]).toEqual(expect.arrayContaining(seenInSession(revision)));
});

it('a client of the first transport has its stream on one server and its messages on all', async () => {
  const { client, ask } = await connect(new SSEClientTransport(new URL(`${running.url}/sse`)));
  let steps = 0;
  const onprogress = () => void steps++;
  for (let round = 0; round < servers; round++) {
    expect(await ask()).toContain('ada@example.com');
    await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, undefined, { onprogress });
  }
  // The SDK drops one that comes together with the result.
  expect(steps).toBeGreaterThanOrEqual(2 * servers);
  await client.close();
});

it('a stream that was cut continues through another server, and a cancelled call ends', async () => {
  const { url } = running;
  for (const revision of legacyRevisions) {
    const session = await initializeWith(url, { elicitation: {} }, revision);
    const call = async (id: string, cut = new AbortController()) => {
      const params = { name: 'test_streaming_elicitation', _meta: { progressToken: id } };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...session };
      const events = readEvents(await fetch(url, { method: 'POST', headers, body, signal: cut.signal }));
      let event = await nextEvent(events);
      while (!event.data?.includes('notifications/progress')) event = await nextEvent(events);
      return { events, last: event.id as string };
    };
    const cut = new AbortController();
    const { last } = await call('cut', cut);
    cut.abort();
    const headers = { ...session, Accept: 'text/event-stream', 'Last-Event-ID': last };
    const rest = readEvents(await fetch(url, { headers }));
    const { id } = JSON.parse((await nextEvent(rest)).data as string) as { id: string };
    await post(url, { jsonrpc: '2.0', id, result: { action: 'accept', content: { ok: true } } }, session);
    expect((await nextEvent(rest)).data).toContain('Streaming complete');

    const { events } = await call('cancelled');
    const params = { requestId: 'cancelled' };
    await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
    const left = [];
    for await (const event of events) left.push(event);
    expect(left.join()).not.toContain('"result"');
  }
});

it('a list that another server changed is reported to clients that are subscribed to nothing', async () => {
  const [first, second, third] = running.team.map(({ url }) => url) as [string, string, string];
  const { client } = await connectTo(first);
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void changes++);
  const events = readEvents(
    await request(second, 'subscriptions/listen', { notifications: { resourcesListChanged: true } }),
  );
  expect((await nextEvent(events)).data).toContain('acknowledged');
  const saving = {
    name: 'skill_save',
    arguments: {
      name: 'release-notes',
      description: 'Writes release notes. Use before a release.',
      content: 'Read the changes.',
    },
  };
  expect(await (await connectTo(third)).client.callTool(saving)).toMatchObject({ isError: false });
  await expect.poll(() => changes).toBe(1);
  expect((await nextEvent(events)).data).toContain('notifications/resources/list_changed');
});

it('a session works on every server, and survives the one that holds it', async () => {
  const { team, balancer, url } = running;
  const { client, transport, ask } = await connectTo(url);
  const updated = new Set<string>();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.add(params.uri));
  for (let round = 0; round < servers; round++) {
    expect(await client.callTool({ name: 'greet', arguments: { name: 'you' } })).toMatchObject({ isError: false });
    expect(await ask()).toContain('ada@example.com');
  }
  await client.subscribeResource({ uri: 'lore://recent' });
  const remember = async (content: string) =>
    JSON.stringify(await (await connectTo(url)).client.callTool({ name: 'remember', arguments: { content } }));
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
  for (let round = 0; round < servers; round++) expect(await ask()).toContain('ada@example.com');
  expect(await remember('The gateway now uses port 7001.')).toContain('"isError":false');
  await expect.poll(() => [...updated]).toEqual(['lore://recent']);
  await transport.terminateSession();
  expect(await Promise.all(Array.from({ length: servers }, () => statusAt(url)))).toEqual([404, 404, 404]);
});
