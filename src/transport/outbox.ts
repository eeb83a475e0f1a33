// Writes to a client that may not read. Unread data counts against the memory budget of the process; when the budget is used
// up, the connection is closed.
import type { ServerResponse } from 'node:http';
import { budget, type Reservation, smallBytes } from './budget.ts';

/** Unread bytes above which a client's next requests wait. */
const fullBytes = 256 * 1024;

const unread = new WeakMap<ServerResponse, Reservation>();

export function isFull({ req: { socket } }: ServerResponse): boolean {
  return !socket.destroyed && socket.writableLength > fullBytes;
}

export function writeText(response: ServerResponse, text: string): void {
  if (response.req.socket.destroyed) return;
  response.write(text);
  if (response.writableLength > smallBytes) count(response);
}

/** Nothing is written to a broken connection: a response that is queued there would wait forever. */
export function endText(response: ServerResponse, text: string, bytes: number): void {
  if (response.req.socket.destroyed) return void response.destroy();
  // A text with as many bytes as characters is ASCII, which is written faster as such.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  if (response.writableLength > smallBytes) count(response);
}

function count(response: ServerResponse): void {
  let held = unread.get(response);
  if (!held) {
    const fresh = budget.hold(() => response.req.socket.destroy());
    response.on('drain', () => fresh.set(0));
    response.on('close', fresh.release);
    unread.set(response, fresh);
    held = fresh;
  }
  held.set(response.writableLength);
}
