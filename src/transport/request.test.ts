// The body of a request reaches its reader whole, whenever the reader comes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { DirectRequest } from './request.ts';

/** Sends two bodies, each in two parts, over one connection; `delay` says when the server begins to read. */
async function readTwo(delay: (read: () => void, request: DirectRequest) => void): Promise<string[]> {
  const bodies: string[] = [];
  const server = createServer({ IncomingMessage: DirectRequest }, (request, response) => {
    const parts: Buffer[] = [];
    const finish = () => {
      bodies.push(Buffer.concat(parts).toString());
      response.end();
    };
    delay(() => request.readBody({ keep: (part) => parts.push(part), finish }), request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  for (const [head, tail] of [
    ['one ', 'two'],
    ['three ', 'four'],
  ] as const) {
    const arrived = once(server, 'request');
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${head.length + tail.length}\r\n\r\n${head}`);
    await arrived;
    socket.write(tail);
    await once(socket, 'data');
  }
  socket.destroy();
  server.close();
  return bodies;
}

it.each([
  ['at once', (read: () => void) => read()],
  ['after a part of the body', (read: () => void, request: DirectRequest) => void request.once('readable', read)],
  [
    'after the whole body',
    (read: () => void, request: DirectRequest) => {
      const look = () => (request.complete ? read() : setImmediate(look));
      look();
    },
  ],
])('a body is read completely %s, also on a kept connection', async (_, delay) => {
  expect(await readTwo(delay)).toEqual(['one two', 'three four']);
});
