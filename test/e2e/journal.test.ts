// The journal from outside: a client that speaks HTTP without a library, scripts on the plain routes, and operations that
// are watched while they run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { initialize, nextEvent, post, readEvents, serveLore } from '../support/http.ts';

const call = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

async function serve() {
  const folder = createFolder('journal');
  const server = await serveLore({ LORE_DB: join(folder, 'lore.db'), LORE_ROOTS: folder }, folder);
  const route = async (path: string, body: object, project = folder) => {
    const answer = await post(`${server.origin}${path}`, body, { 'Lore-Project': project });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { ...server, folder, route };
}

describe('a client of the original', () => {
  it('initializes, saves, searches, opens the stream and ends its session', async () => {
    const { url, folder, route } = await serve();
    const opening = await post(url, {
      jsonrpc: '2.0',
      id: '1',
      method: 'initialize',
      params: {
        protocolVersion: '2024-11-05',
        capabilities: {},
        clientInfo: { name: 'claude-code', version: '2.0.29' },
      },
    });
    const session = { 'Mcp-Session-Id': opening.headers.get('mcp-session-id') as string };
    const saved = await post(
      url,
      call(2, 'checkpoint_save', { content: 'Half of the parser is ported.', project_path: folder, metadata: {} }),
      session,
    );
    expect(await saved.json()).toMatchObject({ id: 2, result: { content: [{ type: 'text' }] } });
    const stream = await fetch(url, { headers: { Accept: 'text/event-stream', ...session } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const found = await post(
      url,
      call(3, 'checkpoint_search', { query: 'porting the parser', project_path: folder }),
      session,
    );
    expect(JSON.stringify(await found.json())).toContain('Half of the parser is ported.');
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await post(url, call(4, 'status', {}), session)).status).toBe(404);

    // The plain routes answer with the same.
    const listed = await route('/mcp/checkpoint/list', {});
    expect(listed.body.checkpoints).toMatchObject([{ name: 'Half of the parser is ported.' }]);
    const searched = await route('/mcp/checkpoint/search', { query: 'parser' });
    expect(searched.body.checkpoints).toMatchObject([{ name: 'Half of the parser is ported.' }]);
    expect(await route('/mcp/checkpoint/save', { content: 7 })).toMatchObject({
      status: 400,
      body: {
        success: false,
        error: { code: 'invalid_input', details: { path: 'arguments.content', received: expect.any(String) } },
      },
    });
  });
});

describe('a failing tool', () => {
  it('returns the earlier fix of such an error', async () => {
    const { url, folder, route } = await serve();
    const session = await initialize(url);
    const fail = async () => {
      const answer = await post(url, call(1, 'forget', { id: 'n_17' }), { ...session, 'Lore-Project': folder });
      return ((await answer.json()) as { result: { isError: boolean; content: { text: string }[] } }).result;
    };
    const before = await fail();
    expect(before.isError).toBe(true);
    const error = before.content[0]?.text as string;
    const solution = 'Ids change when a dump is imported: recall it first.';
    await route('/mcp/remediation/save', { error_msg: error.replace('n_17', 'n_99'), solution });
    const after = await fail();
    expect(after.content[0]?.text).toContain(error);
    expect(after.content[0]?.text).toContain(`| Solution: ${solution}`);
    expect(after).toMatchObject({
      structuredContent: { success: false, error: { advice: expect.stringContaining(`| Solution: ${solution}`) } },
    });
    expect(await route('/mcp/forget', { id: 'n_18' })).toMatchObject({
      status: 404,
      body: { error: { advice: expect.stringContaining(solution) } },
    });
  });
});

describe('an operation', () => {
  it('is followed on its own stream until it ends', async () => {
    const { origin, folder, route } = await serve();
    const begun = await route('/mcp/learn', { content: 'PostgreSQL 15 is the primary database.' });
    const id = begun.body.operation_id as string;
    const stream = await fetch(`${origin}/mcp/sse/${id}`, { headers: { 'Lore-Project': folder } });
    const events = readEvents(stream);
    let event = await nextEvent(events);
    while (event.event === 'progress') event = await nextEvent(events);
    expect(event.event).toBe('done');
    expect(JSON.parse(event.data as string)).toMatchObject({
      id,
      kind: 'learn',
      state: 'done',
      result: { kept: [{ text: 'PostgreSQL 15 is the primary database.' }] },
    });
    expect(await events.next()).toMatchObject({ done: true });
    const status = await route('/mcp/status', { operation_id: id });
    expect(status.body.operations).toMatchObject([{ id, state: 'done' }]);
  });

  it('is not visible to other callers', async () => {
    const { origin, route, folder } = await serve();
    const other = join(folder, 'other');
    mkdirSync(other);
    const { body } = await route('/mcp/learn', { content: 'The gateway listens on 8443.' });
    const id = body.operation_id as string;
    for (const [name, project] of [
      [id, other],
      ['op_unknown', other],
      ['%ff', other],
    ] as const) {
      const answer = await fetch(`${origin}/mcp/sse/${name}`, { headers: { 'Lore-Project': project } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ success: false, error: { code: 'not_found' } });
    }
    expect((await route('/mcp/operation/cancel', { operation_id: id }, other)).status).toBe(404);
    expect(await route('/mcp/operation/cancel', { operation_id: id })).toMatchObject({
      status: 200,
      body: { operation_id: id, state: expect.stringMatching(/done|cancelled|running/) },
    });
  });

  it('reports progress while its call waits', async () => {
    const { url, folder, route } = await serve();
    writeDocuments(folder);
    await route('/mcp/collection/create', { collection_name: 'docs' });
    const session = { ...(await initialize(url)), 'Lore-Project': folder };
    const asked = call(1, 'collection_ingest', { collection_name: 'docs', path: '.' });
    const params = { ...asked.params, _meta: { progressToken: 'p' } };
    const answer = await post(url, { ...asked, params }, session);
    const told = [];
    for await (const event of readEvents(answer)) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) told.push(JSON.parse(data));
    }
    const progress = told.filter(({ method }) => method === 'notifications/progress');
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.at(-1)).toMatchObject({ params: { progressToken: 'p', progress: 30, total: 30 } });
    expect(told.at(-1)).toMatchObject({
      id: 1,
      result: { content: [{ text: expect.stringContaining('30 documents added') }] },
    });
  });

  it('is a task for a client that supports tasks', async () => {
    const { url, folder, route } = await serve();
    writeDocuments(folder);
    await route('/mcp/collection/create', { collection_name: 'docs' });
    const send = async (method: string, params: object, name: string) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      };
      const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': name };
      const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
      const answer = await post(url, message, { ...headers, 'Lore-Project': folder });
      return ((await answer.json()) as { result: Record<string, unknown> }).result;
    };
    const args = { collection_name: 'docs', path: '.' };
    const task = await send('tools/call', { name: 'collection_ingest', arguments: args }, 'collection_ingest');
    expect(task).toMatchObject({ resultType: 'task', status: 'working' });
    const taskId = task.taskId as string;
    await expect
      .poll(() => send('tasks/get', { taskId }, taskId))
      .toMatchObject({
        status: 'completed',
        result: { content: [{ text: expect.stringContaining('30 documents added') }] },
      });
  });
});

function writeDocuments(folder: string): void {
  for (let n = 0; n < 30; n++) writeFileSync(join(folder, `d${n}.md`), `# Walrus ${n}\n\nIt likes clams.\n`);
}
