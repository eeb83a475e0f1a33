// What clients can do to a server's memory: each attack is one function that resolves when it has done its worst. The
// sockets of clients that do not read stay open until `release` is called.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { initialize, jsonHeaders, post } from '../support/http.ts';

export interface Target {
  url: string;
  port: number;
}

const held: Socket[] = [];

export function release(): void {
  for (const socket of held.splice(0)) socket.destroy();
}

/** A request with a large answer. */
function read(id: number) {
  return { jsonrpc: '2.0', id, method: 'resources/read', params: { uri: 'lore://file/large.txt' } };
}

function head(method: string, path: string, { port }: Target, more: Record<string, string | number> = {}): string {
  const headers = { Host: `127.0.0.1:${port}`, ...jsonHeaders, ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function open(target: Target): Socket {
  const socket = connect(target.port, '127.0.0.1');
  socket.on('error', () => {});
  held.push(socket);
  return socket;
}

/** Resolves when the server has taken in what was written, or has hung up. */
async function write(socket: Socket, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    if (socket.destroyed) return resolve();
    socket.write(text, () => resolve());
  });
}

/** Runs `work` for 0 … count - 1, a few at a time. */
async function repeat(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** `initialize` with capabilities of the given size, all sessions left open. Strings and small objects by turns. */
export async function largeInitializes(target: Target, count: number, bytes: number): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const texts = [`"${'x'.repeat(bytes)}"`, `[${'{"a":1},'.repeat(bytes / 8)}0]`];
  await repeat(count, 4, async (index) => {
    const extra = texts[index % 50 === 0 ? 1 : 0];
    const message = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
      "clientInfo":{"name":"x","version":"1"},"capabilities":{"experimental":${extra}}}}`;
    await send(target, message, outcomes);
  });
  return outcomes;
}

type Outcomes = Record<string, number>;

/** Counts how it was answered, be it with a refusal. */
async function send(target: Target, body: string, outcomes: Outcomes): Promise<void> {
  const outcome = await post(target.url, body).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 'broken off',
  );
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

export async function manySessions(target: Target, count: number): Promise<void> {
  await repeat(count, 8, () => initialize(target.url));
}

/** The transport of 2024-11-05: a stream that nobody reads, and requests whose answers go there. */
export async function unreadSse(target: Target, requests: number): Promise<void> {
  const stream = open(target);
  stream.write(head('GET', '/mcp/sse', target));
  const [first] = (await once(stream, 'data')) as [Buffer];
  let text = String(first);
  while (!text.includes('sessionId=')) text += String((await once(stream, 'data'))[0]);
  stream.pause();
  const path = /data: (\S+)/.exec(text)?.[1] ?? '';
  const sender = open(target).resume();
  for (let index = 0; index < requests; index++) {
    const body = JSON.stringify(read(index));
    await write(sender, head('POST', path, target, { 'Content-Length': body.length }) + body);
  }
}

/** Resolves when a client that reads its answers has got some: calls that came before have had their chance to run. */
export async function settle(target: Target, calls: number): Promise<void> {
  const session = await initialize(target.url);
  for (let id = 0; id < calls; id++) await (await post(target.url, read(id), session)).arrayBuffer();
}

/** Batches whose answers nobody reads, each on a connection of its own. */
export async function unreadBatches(target: Target, count: number, size: number): Promise<void> {
  await repeat(count, 2, async () => {
    const session = await initialize(target.url, '2025-03-26');
    const body = JSON.stringify(Array.from({ length: size }, (_, id) => read(id)));
    const socket = open(target);
    await write(socket, head('POST', '/mcp', target, { ...session, 'Content-Length': body.length }) + body);
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  });
}

/** A batch that is read; how many of its calls were answered, and how. */
export async function readBatch(target: Target, size: number) {
  const session = await initialize(target.url, '2025-03-26');
  const messages = Array.from({ length: size }, (_, id) => read(id));
  const answers = (await (await post(target.url, messages, session)).json()) as { error?: { code: number } }[];
  const refused = answers.filter(({ error }) => error !== undefined).length;
  return `${refused} of ${answers.length} refused`;
}

/** Lists, which are answered at once, asked for many at a time on each connection and never read. */
export async function unreadLists(target: Target, count: number): Promise<void> {
  const session = await initialize(target.url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const one = head('POST', '/mcp', target, { ...session, 'Content-Length': body.length }) + body;
  const flood = async () => {
    const socket = open(target);
    socket.write(one.repeat(40));
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  };
  await Promise.all(Array.from({ length: count }, flood));
}

/** GET streams that nobody reads while the server has much to say to them. */
export async function unreadStreams(target: Target, count: number): Promise<void> {
  await repeat(count, 8, async () => {
    const session = await initialize(target.url);
    const socket = open(target);
    await write(socket, head('GET', '/mcp', target, session));
  });
}

/** Bodies of which the last byte never comes. */
export async function slowBodies(target: Target, count: number, bytes: number): Promise<void> {
  const part = 'x'.repeat(bytes - 1);
  await repeat(count, 8, async () => {
    const socket = open(target).resume();
    await write(socket, head('POST', '/mcp', target, { 'Content-Length': bytes }) + part);
  });
}

/** Brackets and small objects, which take many times their size once they are parsed. */
export async function denseMessages(target: Target, count: number, bytes: number): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const units = ['[', '{},', '[[]],', '{"a":'];
  await repeat(count, 4, async (index) => {
    const unit = units[index % units.length] as string;
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${unit.repeat(bytes / unit.length)}0]}}`;
    await send(target, body, outcomes);
  });
  return outcomes;
}

/** Calls that a connection pipelines without reading an answer. */
export async function pipelined(target: Target, requests: number): Promise<void> {
  const session = await initialize(target.url);
  const socket = open(target);
  for (let index = 0; index < requests; index++) {
    const body = JSON.stringify(read(index));
    const text = head('POST', '/mcp', target, { ...session, 'Content-Length': body.length }) + body;
    if (!socket.write(text) && socket.bytesWritten > 0) await Promise.race([once(socket, 'drain'), pause()]);
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
