// Replays the messages that the documents of five systems print, as printed, and compares the responses with the documents.
// Differences are allowed only if the guide has a row for them.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../support/bundle.ts';
import { allowed, asLine, documents, parse, Replay, read, replayed, type System } from '../support/documents.ts';
import { createFolder } from '../support/folder.ts';
import { post, serveLore } from '../support/http.ts';
import { journalctlMissing, layJournal } from '../support/journal.ts';
import { spawnLore } from '../support/lore.ts';
import { type Json, type Message, StdioClient } from '../support/stdio-client.ts';

function createProject(): string {
  const folder = createFolder('documents');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/index.ts'), 'export function main() { ... }\n');
  writeFileSync(
    join(folder, 'a.png'),
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABc3UBGAAAAABJRU5ErkJggg==',
      'base64',
    ),
  );
  return folder;
}

/** Starts the server as a client's configuration does, with a script and without arguments. */
function openStdio(cwd: string, env: Record<string, string> = {}): StdioClient {
  const child = spawnLore([], env, cwd);
  onTestFinished(() => void child.kill('SIGKILL'));
  return new StdioClient({ child, log: () => '' } as never);
}

/** Sends a printed message, and compares its response. */
async function exchange(client: StdioClient, replay: Replay, name: string, response = `${name}.response.json`) {
  const text = read(replay.system, `${name}.request.json`);
  client.sendText(asLine(text));
  const received = await client.response(JSON.parse(text).id);
  replay.compare(name, parse(replay.system, response), received);
  return received;
}

const callTool = (id: number, name: string, args: Json) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

/** Provokes the standard errors that a document lists. */
async function provoke(client: StdioClient, system: System): Promise<void> {
  const mistakes: Record<string, string> = {
    '-32700': '{',
    '-32600': '{"jsonrpc":"2.0"}',
    '-32601': '{"jsonrpc":"2.0","id":"m","method":"method/name"}',
    '-32602': '{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":5}}',
  };
  const listed = read(system, 'error-codes.txt').match(/-32\d{3}/g) ?? [];
  for (const code of listed) {
    const mistake = mistakes[code];
    if (mistake === undefined) continue;
    client.sendText(mistake);
    const { error } = await client.next(({ error }) => error !== undefined);
    expect(error).toMatchObject({ code: Number(code), data: { details: expect.any(String) } });
  }
}

describe('documents', () => {
  it('GitHub to MCP, KuzuMemory and ContextGraph Ghost: messages on stdio', async () => {
    const project = createProject();
    const data = createFolder('data');
    const configured = { CONTEXTGRAPH_DB: join(data, 'context.db'), KUZU_MEMORY_PROJECT: project };
    for (const system of ['contextgraph-ghost', 'kuzu-memory'] as const) {
      for (const name of Object.keys(configurationOf(system).env ?? {})) {
        if (name !== 'PYTHONPATH') expect(configured).toHaveProperty(name);
      }
    }
    expect(configurationOf('github-to-mcp')).toEqual({ command: 'node', args: [expect.any(String)] });
    const client = openStdio(createFolder('elsewhere'), configured);

    const github = new Replay('github-to-mcp');
    const list = await exchange(client, github, 'tools-list');
    const tools = list.result?.tools as { name: string }[];
    const searchCode = tools.find(({ name }) => name === 'search_code');
    github.compare('search-code', parse('github-to-mcp', 'search-code.tool.json'), searchCode);
    const file = await exchange(client, github, 'tools-call');
    if (textOf(file) !== 'export function main() { ... }') github.note('tools-call text');
    client.sendText(callTool(3, 'search_code', { query: 'MAIN', path: 'src', caseSensitive: false }));
    expect(textOf(await client.response(3))).toContain('src/index.ts');
    client.sendText(callTool(4, 'read_file', { path: 'a.png' }));
    const { content } = (await client.response(4)).result as { content: { type: string }[] };
    const images = { content: content.filter(({ type }) => type === 'image') };
    github.compare('content-image', parse('github-to-mcp', 'content-image.json'), images);
    github.compare('content-text', parse('github-to-mcp', 'content-text.json'), file.result);
    const missing = parse('github-to-mcp', 'tools-call.error.json') as unknown as Message;
    client.sendText(callTool(missing.id as number, 'read_file', {}));
    const { error } = await client.response(missing.id as number);
    github.compare('tools-call error', missing.error, error);
    expect(error?.data).toMatchObject(missing.error?.data as Json);
    await provoke(client, 'github-to-mcp');

    const kuzu = new Replay('kuzu-memory');
    await exchange(client, kuzu, 'tools-call');
    client.sendText('{"jsonrpc":"2.0","id":1,"method":"foo/bar"}');
    kuzu.compare('unknown-method', parse('kuzu-memory', 'unknown-method.error.json'), await client.response(1));
    client.sendText(asLine(read('kuzu-memory', 'batch.request.json')));
    expect(await client.nextBatch()).toMatchObject([
      { id: 1, result: { tools: expect.any(Array) } },
      { id: 2, result: {} },
    ]);
    await provoke(client, 'kuzu-memory');
    const named = read('kuzu-memory', 'tools.txt').match(/(?<=`)\w+(?=`)/g) ?? [];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
    client.sendText(/echo '(.*)'/.exec(read('kuzu-memory', 'manual-test.txt'))?.[1] as string);
    const opened = await client.response(1);
    expect(opened.result).toMatchObject({ serverInfo: { name: 'lorekeeper' } });
    github.compare('capabilities', parse('github-to-mcp', 'capabilities.json'), opened.result);
    client.sendText(asLine(read('kuzu-memory', 'initialized.notification.json')));

    const ghost = new Replay('contextgraph-ghost');
    const { result } = await exchange(client, ghost, 'initialize');
    ghost.compare('capabilities', parse('contextgraph-ghost', 'capabilities.json'), result);
    client.sendText(asLine(read('contextgraph-ghost', 'initialized.notification.json')));
    await exchange(client, ghost, 'tools-list');
    await exchange(client, ghost, 'tools-call');
    client.sendText(callTool(3, 'read_file', { path: 'nothing.ts' }));
    ghost.compare('failure', parse('contextgraph-ghost', 'tools-call.failure.json'), await client.response(3));
    client.sendText(asLine(read('contextgraph-ghost', 'form.notification.json')));
    client.sendText(asLine(read('contextgraph-ghost', 'form.request.json')));
    expect(await client.response(1)).toMatchObject({ error: { code: -32601 } });
    client.sendText(callTool(1, 'query_context', { query: 5 }));
    ghost.compare('form', parse('contextgraph-ghost', 'form.error.json'), await client.response(1));
    await provoke(client, 'contextgraph-ghost');

    const methods = read('kuzu-memory', 'methods.txt').match(/(?<=`)[\w/]+(?=`)/g) ?? [];
    for (const method of methods.filter((name) => /^(tools|ping)/.test(name))) {
      expect((await client.request(method, {})).error?.code, method).not.toBe(-32601);
    }
    expect(await client.request('shutdown')).toMatchObject({ result: {} });
    expect(await client.end()).toBe(0);
    expect(readdirSync(data)).toContain('context.db');
    for (const replay of [github, kuzu, ghost]) replay.finish();
  });

  const skipped = journalctlMissing ? ` (skipped: ${journalctlMissing})` : '';
  it.skipIf(journalctlMissing)(`SysMCP: messages on stdio${skipped}`, async () => {
    const folder = createFolder('sysmcp');
    const journal = join(folder, 'journal');
    await layJournal(journal, 'passwords', []);
    writeFileSync(
      join(folder, 'journalctl'),
      `#!/bin/sh\nPATH='${process.env.PATH}' exec journalctl --directory '${journal}' "$@"\n`,
    );
    chmodSync(join(folder, 'journalctl'), 0o755);
    writeFileSync(join(folder, 'config.json'), '{"permissions":{"eventlog":"read"}}');
    const PATH = `${folder}${delimiter}${process.env.PATH}`;
    const client = openStdio(createProject(), { PATH, LORE_CONFIG: join(folder, 'config.json') });

    const replay = new Replay('sysmcp');
    await exchange(client, replay, 'initialize');
    const { result } = await exchange(client, replay, 'tools-list');
    const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(read('sysmcp', 'services.txt').match(/\b[a-z]+(_[a-z]+)+/g) ?? []));
    const called = await exchange(client, replay, 'tools-call');
    const [entry] = (called.result as { data: { entries: Json[] } }).data.entries;
    for (const [, field = '', type] of read('sysmcp', 'event-log-entry.txt').matchAll(/^ {2}(\w+): (\w+);/gm)) {
      expect(typeof entry?.[field], field).toBe(type);
    }
    client.sendText(asLine(read('sysmcp', 'form.notification.json')));
    client.sendText(asLine(read('sysmcp', 'form.request.json')));
    const unknown = await client.response(1);
    replay.compare(
      'form',
      { ...parse('sysmcp', 'form.error.json'), error: { code: -32601, data: { details: '' } } },
      unknown,
    );
    for (const text of ['conversation.txt', 'conversation-error.txt']) {
      for (const [, sent = '', printed = ''] of read('sysmcp', text).matchAll(/^Client: (.*)\nServer: (.*)$/gm)) {
        client.sendText(sent);
        const { id, method } = JSON.parse(sent);
        const expected = JSON.parse(printed.replace(',...', '').replace('[...]', '[]'));
        replay.compare(`${text} ${method}`, expected, await client.response(id));
      }
    }
    client.sendText(callTool(3, 'eventlog_query', { logName: 'System', limit: 'many' }));
    replay.compare('failure', parse('sysmcp', 'tools-call.failure.json'), await client.response(3));
    client.sendText(callTool(1, 'nothing', {}));
    expect((await client.response(1)).error).toMatchObject({ code: -32602, data: { code: 'ToolNotFound' } });
    client.sendText(callTool(4, 'recal', {}));
    expect((await client.response(4)).error).toMatchObject({ message: 'Unknown tool: recal. Did you mean "recall"?' });
    await provoke(client, 'sysmcp');
    replay.finish();
  });

  it('contextd and ContextGraph Ghost: requests over HTTP', async () => {
    const folder = createProject();
    const { url, origin } = await serveLore({}, folder);
    const replay = new Replay('contextd');
    const body = read('contextd', 'initialize.request.json');
    const opened = await fetch(url, { method: 'POST', headers: headersIn('post-headers.txt'), body });
    replay.compare('initialize', parse('contextd', 'initialize.response.json'), await opened.json());
    for (const name of Object.keys(headersIn('initialize-response-headers.txt')))
      expect(opened.headers.has(name)).toBe(true);
    const id = opened.headers.get('mcp-session-id') as string;
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const session = headersIn('later-headers.txt', id);
    const call = read('contextd', 'tools-call.request.json').replace(
      '"project_path": "..."',
      `"project_path": "${folder}"`,
    );
    expect(await (await post(url, call, session)).json()).toMatchObject({ id: '2', result: { isError: false } });
    const stream = await fetch(url, { headers: headersIn('get-headers.txt', id) });
    for (const [name, value] of Object.entries(headersIn('stream-response-headers.txt'))) {
      expect(stream.headers.get(name), name).toBe(value);
    }
    await stream.body?.cancel();
    const [, uri, agent = ''] = /uri=(\S+) user_agent=(\S+)/.exec(read('contextd', 'log.txt')) ?? [];
    const old = await fetch(`${origin}${uri}`, { headers: { 'User-Agent': agent } });
    expect(old.status).toBe(200);
    await old.body?.cancel();

    for (const [name, headers] of [
      ['no-session', {}],
      ['not-acceptable', { ...session, Accept: 'text/html' }],
    ] as const) {
      const [, status, code, message] =
        /JSON\((\d+).*"code": (-\d+),\s+"message": "(.*?)"/s.exec(read('contextd', `${name}.txt`)) ?? [];
      const refused = await post(url, call, headers);
      expect(refused.status, name).toBe(Number(status));
      expect(await refused.json(), name).toMatchObject({ jsonrpc: '2.0', error: { code: Number(code), message } });
    }

    const args: Record<string, Json> = {
      'checkpoint/save': { content: 'test', project_path: folder, metadata: {} },
      'checkpoint/search': { query: 'test' },
      'remediation/save': { error_msg: 'EACCES: permission denied', solution: 'chmod' },
      'remediation/search': { query: 'EACCES: permission denied' },
      'skill/save': { name: 'a-skill', content: 'Do this.', description: 'A skill' },
      'skill/search': { query: 'skill' },
      'collection/create': { collection_name: 'notes' },
      'collection/delete': { collection_name: 'notes' },
      'resources/read': { uri: 'lore://project' },
    };
    for (const [, method, route = ''] of read('contextd', 'routes.txt').matchAll(/^(\w+) +\/mcp\/(.*)$/gm)) {
      if (route === 'sse/:operation_id') {
        expect((await fetch(`${origin}/mcp/sse/op_unknown`)).status).toBe(404);
      } else if (method === 'GET') {
        expect((await fetch(`${origin}/mcp/${route}`)).status, route).toBe(200);
      } else {
        const body = { jsonrpc: '2.0', id: route, method: route, params: args[route] ?? {} };
        const answer = await post(`${origin}/mcp/${route}`, body);
        expect(await answer.json(), route).toMatchObject({ jsonrpc: '2.0', id: route, result: expect.any(Object) });
      }
    }
    const ghost = new Replay('contextgraph-ghost');
    const other = await post(url, read('contextgraph-ghost', 'initialize.request.json'));
    ghost.compare('initialize', parse('contextgraph-ghost', 'initialize.response.json'), await other.json());
    const agreed = { 'Mcp-Session-Id': other.headers.get('mcp-session-id') as string };
    for (const name of ['tools-list', 'tools-call']) {
      const answer = await post(url, read('contextgraph-ghost', `${name}.request.json`), agreed);
      ghost.compare(name, parse('contextgraph-ghost', `${name}.response.json`), await answer.json());
    }
    ghost.finish();
    const batch = await post(url, read('kuzu-memory', 'batch.request.json'), agreed);
    expect(await batch.json()).toMatchObject([{ id: 1 }, { id: 2, result: {} }]);

    const failed = await post(`${origin}/mcp/checkpoint/search`, { jsonrpc: '2.0', id: 1, method: 'x', params: {} });
    expect(await failed.json()).toMatchObject({ id: 1, error: { code: -32602 } });
    replay.finish();
  });

  it('replays every printed message', () => {
    const paths = readdirSync(documents, { recursive: true })
      .map(String)
      .filter((path) => /\.\w+$/.test(path));
    const left = paths.filter((path) => !replayed.has(path) && !path.includes('curl-'));
    expect(left.filter((path) => journalctlMissing === undefined || !path.startsWith('sysmcp'))).toEqual([]);
  });

  it('has a row in the guide for every allowed difference', () => {
    const guide = readFileSync(join(root, 'docs/guide/coming-from.md'), 'utf8');
    const sections = guide.split(/^## /m).slice(1);
    const rows = sections.map((section) =>
      [...section.matchAll(/^\| (.*?) \| .* \| .* \|$/gm)]
        .map(([, says]) => says)
        .filter((says) => says !== 'the document says'),
    );
    expect(rows).toEqual(Object.values(allowed).map((own) => Object.keys(own)));
  });
});

/** Headers as the document lists them, with the id of a session and without remarks. */
function headersIn(name: string, session = ''): Record<string, string> {
  const lines = read('contextd', name)
    .replace('<session-id>', session)
    .matchAll(/^([\w-]+): (.*?)(?: +\(.*\))?$/gm);
  return Object.fromEntries([...lines].map(([, key = '', value = '']) => [key, value]));
}

function configurationOf(system: System): { command: string; args: string[]; env?: Record<string, string> } {
  const { mcpServers } = JSON.parse(read(system, 'config.json'));
  return Object.values(mcpServers)[0] as ReturnType<typeof configurationOf>;
}

function textOf({ result }: Message): string {
  return (result?.content as { text: string }[] | undefined)?.[0]?.text ?? '';
}
