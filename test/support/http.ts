// The built server over HTTP, and requests to it as curl would send them.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { spawnLore } from './lore.ts';

/** Serves on a free port until the test is over. */
export async function serveLore(env: Record<string, string> = {}, cwd?: string) {
  const child = spawnLore(['serve', '--port', env.LORE_PORT ?? '0', '--json'], env, cwd);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { child, url, origin: new URL(url).origin };
}

export const jsonHeaders = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

export function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return fetch(url, { method: 'POST', headers: { ...jsonHeaders, ...headers }, body });
}

/** A session of the given revision: its id as a header. */
export function initialize(
  url: string,
  protocolVersion = '2025-11-25',
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  return initializeWith(url, {}, protocolVersion, headers);
}

/** The same for a client with these capabilities. */
export async function initializeWith(
  url: string,
  capabilities: object,
  protocolVersion = '2025-11-25',
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } };
  const answer = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = answer.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${await answer.text()}`);
  return { 'Mcp-Session-Id': id };
}

/** Reads the next event of a stream. */
export async function nextEvent(reader: AsyncIterator<string>): Promise<Record<string, string>> {
  const { value, done } = await reader.next();
  if (done) throw new Error('the stream has ended');
  return Object.fromEntries(
    (value as string).split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
}

export async function* readEvents(response: Response): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks.filter((block) => !block.startsWith(':'));
  }
}
