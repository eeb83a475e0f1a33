// Attacks by another user of this machine on the HTTP server and on the socket of the hooks.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { initialize, jsonHeaders, post, serveLore } from '../support/http.ts';
import { spawnLore } from '../support/lore.ts';
import { noOtherUser, runAsOther } from '../support/other-user.ts';

/** Method, path, headers and body of each request come as arguments; prints status and body of each answer. */
const askAll = `
  const answers = [];
  for (const [url, init] of JSON.parse(process.argv[1])) {
    const answer = await fetch(url, init);
    answers.push({ status: answer.status, body: await answer.text() });
  }
  console.log(JSON.stringify(answers));
`;

interface Answer {
  status: number;
  body: string;
}

async function askAsOther(requests: readonly [url: string, init: RequestInit][]): Promise<Answer[]> {
  return JSON.parse(await runAsOther(askAll, [JSON.stringify(requests)]));
}

function callTool(name: string, args: object, extra: Record<string, string> = {}): RequestInit {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return { method: 'POST', headers: { ...jsonHeaders, ...extra }, body: JSON.stringify(message) };
}

async function countNodes(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/mcp/status`, { method: 'POST' });
  return ((await answer.json()) as { store: { nodes: number } }).store.nodes;
}

describe.skipIf(noOtherUser)(`another user${noOtherUser && ` (skipped: ${noOtherUser})`}`, () => {
  it('reads nothing, writes nothing and sees no tools', async () => {
    const { url, origin } = await serveLore();
    const session = await initialize(url);
    const remember = { content: 'Another user planted this sentence.' };
    const plain = { method: 'POST', headers: jsonHeaders, body: JSON.stringify(remember) };
    const listTools = { ...plain, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
    const answers = await askAsOther([
      [url, { ...plain, body: '{"jsonrpc":"2.0","id":1,"method":"initialize"}' }],
      [url, callTool('remember', remember, session)],
      [url, { ...listTools, headers: { ...jsonHeaders, ...session } }],
      [url, { headers: { Accept: 'text/event-stream', ...session } }],
      [url, { method: 'DELETE', headers: session }],
      [`${origin}/mcp/tools/list`, {}],
      [`${origin}/mcp/resources/list`, {}],
      [`${origin}/mcp/sse`, { headers: { Accept: 'text/event-stream' } }],
      [`${origin}/mcp/messages?sessionId=${session['Mcp-Session-Id']}`, plain],
      [`${origin}/mcp/remember`, plain],
      [`${origin}/mcp/read/file`, { ...plain, body: '{"path":"/etc/hostname"}' }],
      [`${origin}/mcp/remember`, { ...plain, headers: { ...jsonHeaders, Authorization: 'Bearer guess' } }],
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toContain('lore token');
    }
    const [health] = await askAsOther([[`${origin}/healthz`, {}]]);
    expect(health).toEqual({ status: 200, body: '{"status":"ok"}' });
    // Its own user goes on, in the same session.
    expect((await post(url, { jsonrpc: '2.0', id: 2, method: 'ping' }, session)).status).toBe(200);
    expect(await countNodes(origin)).toBe(0);
  });

  it('is served with the token', async () => {
    const { origin } = await serveLore({ LORE_TOKEN: 'hunter2' });
    const list = (headers: Record<string, string>): [string, RequestInit] => [`${origin}/mcp/tools/list`, { headers }];
    const answers = await askAsOther([
      list({ Authorization: 'Bearer hunter2' }),
      list({}),
      list({ Authorization: 'Bearer x' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401]);
    expect((await fetch(`${origin}/mcp/tools/list`)).status).toBe(200);
  });

  it('cannot send and disconnect: the request is not served', async () => {
    const { origin } = await serveLore();
    const body = JSON.stringify({ content: 'Left behind by another user.' });
    const script = `
      import { connect } from 'node:net';
      for (let round = 0; round < 40; round++) {
        await new Promise((resolve) => {
          const socket = connect(Number(process.argv[1]), '127.0.0.1', () => {
            socket.write('POST /mcp/remember HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nContent-Length: ${body.length}\\r\\n\\r\\n');
            socket.write(process.argv[2], () => (round % 2 ? socket.destroySoon() : socket.resetAndDestroy()));
          });
          socket.on('error', resolve).on('close', resolve);
        });
      }
    `;
    await runAsOther(script, [new URL(origin).port, body]);
    expect(await countNodes(origin)).toBe(0);
  });

  it('cannot use the socket that hooks use', async () => {
    const home = createFolder('home');
    // Even where the way to it is open and files are made for everybody.
    chmodSync(home, 0o755);
    const env = { HOME: home, XDG_DATA_HOME: join(home, 'data'), LORE_CONFIG: join(home, 'config.json') };
    process.umask(0);
    onTestFinished(() => void process.umask(0o022));
    const child = spawnLore(['stdio'], env, home);
    onTestFinished(() => void child.kill('SIGKILL'));
    const run = join(home, 'data', 'lorekeeper', 'run');
    const found = () => {
      try {
        return readdirSync(run).filter((name) => name.endsWith('.sock'));
      } catch {
        return [];
      }
    };
    await expect.poll(found).toHaveLength(1);
    const path = join(run, found()[0] as string);
    expect([statSync(run).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    const connect = `
      import { connect } from 'node:net';
      connect(process.argv[1]).on('connect', () => console.log('connected')).on('error', (error) => console.log(error.code));
    `;
    expect(await runAsOther(connect, [path])).toBe('EACCES');
    // Nor with the folder open: the socket itself is private as well.
    for (const folder of [home, join(home, 'data'), join(home, 'data', 'lorekeeper'), run]) chmodSync(folder, 0o755);
    expect(await runAsOther(connect, [path])).toBe('EACCES');
  });
});
