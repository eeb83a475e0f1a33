// What a client may rely on when it loses a stream: the official server keeps what it could not deliver and replays it to
// whoever comes back with the id of the last event; so must ours.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { initialize, nextEvent, post, readEvents } from '../support/http.ts';
import { type ServerProcess, startServer } from '../support/start-server.ts';

let server: ServerProcess;
let url: string;

beforeAll(async () => {
  server = await startServer('test/conformance/fixture/main.ts', 'http', { LORE_PORT: '0' });
  [url] = (await once(createInterface({ input: server.child.stdout }), 'line')) as [string];
});

afterAll(() => server.stop());

async function openStream(session: Record<string, string>, lastEventId?: string) {
  const controller = new AbortController();
  const headers = { Accept: 'text/event-stream', ...session, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) };
  const response = await fetch(url, { headers, signal: controller.signal });
  return { events: readEvents(response)[Symbol.asyncIterator](), close: () => controller.abort() };
}

async function trigger(session: Record<string, string>, name: string): Promise<void> {
  const message = { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: {} } };
  expect((await post(url, message, session)).status).toBe(200);
}

it('changes during a lost connection are sent to the resumed stream', async () => {
  const session = await initialize(url);
  const first = await openStream(session);
  const { id: primed } = await nextEvent(first.events);
  await trigger(session, 'test_trigger_tool_change');
  const told = await nextEvent(first.events);
  expect(told.data).toContain('notifications/tools/list_changed');
  first.close();
  await first.events.next().catch(() => {});

  await trigger(session, 'test_trigger_prompt_change');
  const resumed = await openStream(session, told.id ?? primed);
  const missed = await nextEvent(resumed.events);
  expect(missed.data).toContain('notifications/prompts/list_changed');
  resumed.close();
});

it('a stream that is resumed elsewhere ends on the old connection', async () => {
  const session = await initialize(url);
  const first = await openStream(session);
  const { id } = await nextEvent(first.events);
  const second = await openStream(session, id);
  await trigger(session, 'test_trigger_tool_change');
  expect((await nextEvent(second.events)).data).toContain('notifications/tools/list_changed');
  expect((await first.events.next()).done).toBe(true);
  second.close();
});
