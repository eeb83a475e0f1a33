// Writing to a client that may not read. What it leaves unread counts against the process's budget; when that is used up,
// the connection is closed.
import type { ServerResponse } from 'node:http';
import { budget, type Held, smallBytes } from './budget.ts';

/** A client with more than this to read gets no more work done until it has read. */
const fullBytes = 256 * 1024;

const unread = new WeakMap<ServerResponse, Held>();

export function isFull({ req }: ServerResponse): boolean {
  return !req.socket.destroyed && req.socket.writableLength > fullBytes;
}

export function writeText(response: ServerResponse, text: string): void {
  response.write(text);
  if (response.writableLength > smallBytes) count(response);
}

export function endText(response: ServerResponse, text: string): void {
  response.end(text);
  if (response.writableLength > smallBytes) count(response);
}

/** Calls back once, when the response is over: also one that waits behind others on a connection that breaks. */
export function onClose(response: ServerResponse, listener: () => void): void {
  const { socket } = response.req;
  const close = () => {
    response.off('close', close);
    socket.off('close', close);
    listener();
  };
  response.on('close', close);
  socket.on('close', close);
}

function count(response: ServerResponse): void {
  let held = unread.get(response);
  if (!held) {
    const fresh = budget.hold(() => response.req.socket.destroy());
    response.on('drain', () => fresh.set(0));
    onClose(response, fresh.release);
    unread.set(response, fresh);
    held = fresh;
  }
  held.set(response.writableLength);
}
