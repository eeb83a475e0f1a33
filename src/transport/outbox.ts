// Writes to a client that may not read. Unread data counts against the memory budget of the process; when the budget is used
// up, the connection is closed.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { budget, type Held, smallBytes } from './budget.ts';

/** A client with more than this to read gets no more work done until it has read. */
const fullBytes = 256 * 1024;

const unread = new WeakMap<ServerResponse, Held>();

export function isFull({ req, socket }: ServerResponse): boolean {
  const { destroyed, writableLength } = req.socket;
  // A response without the socket waits behind another one: pipelined answers pile up until that has been read.
  return !destroyed && writableLength > (socket ? fullBytes : 0);
}

export function writeText(response: ServerResponse, text: string): void {
  if (response.req.socket.destroyed) return;
  response.write(text);
  if (response.writableLength > smallBytes) count(response);
}

/** Nothing is written to a broken connection: what waits behind other answers there would wait forever. */
export function endText(response: ServerResponse, text: string): void {
  if (response.req.socket.destroyed) return void response.destroy();
  response.end(text);
  if (response.writableLength > smallBytes) count(response);
}

/** What to do when a connection breaks, for each response on it: those that wait behind others do not hear of it. */
const onBreak = new WeakMap<Socket, Set<() => void>>();

/** Calls back once, when the response is over. */
export function onClose(response: ServerResponse, listener: () => void): void {
  const { socket } = response.req;
  let listeners = onBreak.get(socket);
  if (!listeners) {
    const fresh = new Set<() => void>();
    socket.on('close', () => {
      for (const close of fresh) close();
    });
    onBreak.set(socket, fresh);
    listeners = fresh;
  }
  const open = listeners.add(close);
  function close(): void {
    if (open.delete(close)) listener();
  }
  response.on('close', close);
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
