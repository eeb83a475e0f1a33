// Serves the other processes of the user: their requests go to the servers that this process runs.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Params, RequestContext } from '../../../client/session.ts';
import type { ClientAbility, ClientAnswer } from '../../../core/call.ts';
import { createFrameWriter, type Frame, frameVersion, readFrames, writeFailure } from './frame.ts';
import type { Upstream } from './upstream.ts';

/** The server of a mount, if this process holds it. */
export type FindHeld = (name: string) => Upstream | undefined;

export interface Relay {
  readonly path: string;
  close(): void;
}

export function openRelay(path: string, find: FindHeld): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket, find);
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(path, () => {
      if (process.platform !== 'win32') chmodSync(path, 0o600);
      server.unref();
      resolve({
        path,
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
          if (process.platform !== 'win32') rmSync(path, { force: true });
        },
      });
    });
  });
}

interface RelayedRequest {
  controller: AbortController;
  answer?(answers: { readonly [key: string]: ClientAnswer }): void;
}

function serve(socket: Socket, find: FindHeld): void {
  // Waiting for requests of others must not keep the process alive; its own calls do.
  socket.unref();
  const write = createFrameWriter(socket);
  const requests = new Map<unknown, RelayedRequest>();
  let upstream: Upstream | undefined;
  readFrames(socket, (frame) => {
    if ('hello' in frame) {
      upstream = frame.version === frameVersion ? find(String(frame.hello)) : undefined;
      return write({ ready: upstream !== undefined });
    }
    const request = requests.get(frame.id);
    if ('cancel' in frame) return request?.controller.abort(new Error('cancelled'));
    if ('answers' in frame) return request?.answer?.(frame.answers as never);
    if (upstream && typeof frame.method === 'string') void run(upstream, frame, { write, requests, socket });
  });
  socket.on('close', () => {
    for (const { controller } of requests.values()) controller.abort(new Error('the client is gone'));
  });
}

interface Connection {
  write(frame: Frame): void;
  requests: Map<unknown, RelayedRequest>;
  socket: Socket;
}

async function run(upstream: Upstream, frame: Frame, { write, requests, socket }: Connection): Promise<void> {
  const { id, method, params, wants = [] } = frame as { id: unknown; method: string; params: Params; wants?: string[] };
  const request: RelayedRequest = { controller: new AbortController() };
  requests.set(id, request);
  const context: RequestContext = {
    signal: request.controller.signal,
    // A number of the other process, and so different from all of ours.
    client: clientOf(socket, frame.client),
    can: (frame.can ?? []) as ClientAbility[],
    ...(wants.includes('progress') && { progress: (...facts: unknown[]) => write({ id, progress: facts }) }),
    ...(wants.includes('log') && { log: (...facts: unknown[]) => write({ id, log: facts }) }),
    ...(wants.includes('notice') && { notice: (...facts: unknown[]) => write({ id, notice: facts }) }),
    ...(wants.includes('ask') && {
      ask: (questions) =>
        new Promise((resolve) => {
          request.answer = resolve;
          write({ id, ask: questions });
        }),
    }),
  };
  try {
    write({ id, result: await upstream.request(method, params, context) });
  } catch (error) {
    write({ id, error: writeFailure(error) });
  } finally {
    requests.delete(id);
  }
}

const clients = new WeakMap<Socket, Map<unknown, object>>();

function clientOf(socket: Socket, number: unknown): object {
  const known = clients.get(socket) ?? new Map<unknown, object>();
  clients.set(socket, known);
  const client = known.get(number) ?? {};
  known.set(number, client);
  return client;
}
