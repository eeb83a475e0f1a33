// A TCP connection that sends any bytes and reads HTTP responses as they come: node:http's client would refuse to send
// most of what is to be tried here.
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface RawConnection {
  readonly open: boolean;
  send(bytes: Buffer): void;
  /** No more bytes will come from us; answers may still come from there. */
  finish(): void;
  destroy(): void;
  /** The next response, or `closed` where the server ends the connection without one. */
  receive(): Promise<RawResponse | 'closed'>;
  /** Resolves when the server has ended the connection. */
  closed(): Promise<void>;
}

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(made));
    made.once('error', reject);
  });
  let pending = Buffer.alloc(0);
  let open = true;
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watch of watchers) watch();
  };
  socket.setNoDelay(true);
  socket.on('data', (part) => {
    pending = pending.length === 0 ? part : Buffer.concat([pending, part]);
    notify();
  });
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      open = false;
      notify();
    });
  }

  /** Calls `look` with every change until it yields something. */
  function watch<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(check);
        resolve(found);
      };
      watchers.add(check);
      check();
    });
  }

  return {
    get open() {
      return open;
    },
    send: (bytes) => void socket.write(bytes),
    finish: () => void socket.end(),
    destroy: () => void socket.destroy(),
    receive: () =>
      watch(() => {
        for (;;) {
          const parsed = parseResponse(pending, !open);
          if (!parsed) return open ? undefined : 'closed';
          pending = pending.subarray(parsed.length);
          // "100 Continue" only announces the answer.
          if (parsed.response.status >= 200) return parsed.response;
        }
      }),
    closed: () => watch(() => (open ? undefined : true)).then(() => {}),
  };
}

interface Parsed {
  response: RawResponse;
  length: number;
}

function parseResponse(bytes: Buffer, ended: boolean): Parsed | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN);
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  const rest = bytes.subarray(headEnd + 4);
  const body = readBody(headers, rest, ended);
  if (!body) return undefined;
  const response = { status, headers, body: body.content.toString() };
  return { response, length: headEnd + 4 + body.length };
}

function readBody(headers: Map<string, string>, rest: Buffer, ended: boolean) {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  if (headers.size === 0) return { content: Buffer.alloc(0), length: 0 };
  const length = headers.get('content-length');
  if (length !== undefined) {
    return rest.length < Number(length)
      ? undefined
      : { content: rest.subarray(0, Number(length)), length: Number(length) };
  }
  // node's own refusals say nothing of a length: their body is what is left of the connection.
  return headers.get('connection') !== 'close' || ended ? { content: rest, length: rest.length } : undefined;
}

function readChunks(rest: Buffer): { content: Buffer; length: number } | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size + 2;
    if (rest.length < end) return undefined;
    if (size === 0) return { content: Buffer.concat(parts), length: end };
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
