// MCP over HTTP+SSE, as in the first revision: a GET stream names the address for POSTs, and carries all messages of the server.
import { LoreError } from '../core/error.ts';
import { sendForStream } from '../core/outgoing/send.ts';
import { readEvents } from './event-stream.ts';
import { type HttpUpstream, parse, readText, StatusFailure } from './http-wire.ts';
import type { OpenWire, SentMessage, Wire, WireListener } from './wire.ts';

const startMs = 60_000;

export function overSse(server: HttpUpstream): OpenWire {
  return async (listener) => {
    const controller = new AbortController();
    const { signal } = controller;
    const { origin, pathname, search } = new URL(server.url);
    const send = async (method: string, target: string, body?: string) => {
      const headers = [
        ['accept', method === 'GET' ? 'text/event-stream' : 'application/json'] as const,
        ...(await (server.headers?.({ method, url: origin + target }) ?? [])),
        ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ];
      const request = { method, origin, target, headers, ...(body !== undefined && { body }) };
      return sendForStream(request, { reach: server.reach, timeoutMs: startMs, signal });
    };
    const { status, headers, body } = await send('GET', pathname + search);
    if (status !== 200 || !/^text\/event-stream/i.test(headers['content-type'] ?? '')) {
      controller.abort();
      throw new StatusFailure(status, origin);
    }
    const events = readEvents(body);
    const target = await readEndpoint(events, server.url).catch((error: unknown) => {
      controller.abort();
      throw error;
    });
    void pump(events, listener);
    const post = async (message: SentMessage) => {
      const answer = await send('POST', target, JSON.stringify({ jsonrpc: '2.0', ...message }));
      await readText(answer.body);
      if (answer.status >= 300) throw new StatusFailure(answer.status, origin);
    };
    const wire: Wire = {
      send(message) {
        const { id, method } = message;
        post(message).catch((error: Error) => id !== undefined && method && listener.fail(id, error));
      },
      drop: () => false,
      agree: () => {},
      close: () => controller.abort(),
    };
    return wire;
  };
}

/** Only within the same origin, which alone gets the credentials. */
async function readEndpoint(events: ReturnType<typeof readEvents>, base: string): Promise<string> {
  const { value } = await events.next();
  const { origin } = new URL(base);
  if (value?.event === 'endpoint' && URL.canParse(value.data, base)) {
    const found = new URL(value.data, base);
    if (found.origin === origin) return found.pathname + found.search;
  }
  throw new LoreError('unavailable', `Cannot reach "${origin}": it names no address for messages`);
}

async function pump(events: ReturnType<typeof readEvents>, listener: WireListener): Promise<void> {
  try {
    for await (const { event, data } of events) if (event === 'message') listener.receive(parse(data));
  } catch {
    // Reported below.
  }
  listener.close(new LoreError('unavailable', 'Cannot reach the server: it closed the connection'));
}
