// Reads a request body, and responds with JSON.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Soon } from '../core/attempt.ts';
import { runSoon, type Steps } from '../core/steps.ts';
import { budget, messageLimit, parsedFactor, type Reservation, smallBytes } from './budget.ts';
import { serveInLane } from './lane.ts';
import { endText } from './outbox.ts';
import type { DirectRequest } from './request.ts';

export type Refused = 'too large' | 'not UTF-8' | 'busy';
/** `held` is the memory reserved for the message until it is answered. */
export type Body = { text: string; held: Reservation | undefined } | { refused: Refused };

export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

export function isJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  return type !== undefined && (type === 'application/json' || /^application\/json\s*(;|$)/i.test(type));
}

/** Larger bodies are served one at a time. */
const largeBytes = 256 * 1024;
const maxDrainedBytes = 64 << 20;
const maxDrainMs = 10_000;

/**
 * Drops the body of a refused request, within limits. Closing the connection at once would reset it, and a client that
 * sends its whole body before it reads would never see the answer.
 */
export function drain(request: IncomingMessage): void {
  let dropped = 0;
  const timer = setTimeout(() => request.destroy(), maxDrainMs).unref();
  request.on('data', (part: Buffer) => {
    dropped += part.length;
    if (dropped > maxDrainedBytes) request.destroy();
  });
  request.on('close', () => clearTimeout(timer));
}

/** Time for the body to arrive, in ms; after that the connection is closed. */
const completeMs = 500;

function endUnlessComplete(request: IncomingMessage): void {
  const timer = setTimeout(() => request.complete || request.socket.end(), completeMs);
  request.on('close', () => clearTimeout(timer));
}

/** Smaller chunks are joined: a body may arrive byte by byte, and a buffer takes far more than a byte. */
const maxParts = 256;

/** Calls back once with the body or an error; never for an aborted request. */
export function readBody(
  request: DirectRequest,
  response: ServerResponse,
  maxBytes: number,
  done: (body: Body) => void,
): void {
  const limit = messageLimit(maxBytes);
  const parts: Buffer[] = [];
  let recent: Buffer[] = [];
  let length = 0;
  let held: Reservation | undefined;
  let isOver = false;
  const refuse = (refused: Refused) => {
    isOver = true;
    parts.length = 0;
    recent = [];
    held?.release();
    request.stopReading();
    drain(request);
    response.on('finish', () => endUnlessComplete(request));
    done({ refused });
  };
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > limit) return refuse('too large');
    recent.push(part);
    if (recent.length === maxParts) parts.push(Buffer.concat(recent.splice(0)));
    if (length > smallBytes) count(length);
  };
  const count = (bytes: number) => {
    if (!held) {
      held = budget.hold(() => refuse('busy'));
      response.on('close', held.release);
    }
    held.set(bytes);
  };
  const finish = () => {
    if (length > largeBytes) serveInLane(handOver);
    else handOver();
  };
  const handOver = (): Soon<void> => {
    if (held && !isOver) count(length * parsedFactor);
    if (isOver) return;
    if (held) held.giveUp = () => request.socket.destroy();
    const whole =
      parts.length === 0 && recent.length === 1 ? (recent[0] as Buffer) : Buffer.concat([...parts, ...recent]);
    parts.length = 0;
    recent = [];
    if (!isUtf8(whole)) return done({ refused: 'not UTF-8' });
    if (length <= largeBytes) return done({ text: whole.toString(), held });
    return Promise.resolve(runSoon(decodeInSteps(whole))).then((text) => {
      if (!response.destroyed) done({ text, held });
    });
  };
  if (Number(request.headers['content-length'] ?? 0) > limit) return refuse('too large');
  request.readBody({ keep, finish });
}

/** Bytes decoded in one step. */
const decodedAtOnce = 256 * 1024;

function* decodeInSteps(whole: Buffer): Steps<string> {
  let text = '';
  for (let at = 0; at < whole.length; ) {
    let end = Math.min(at + decodedAtOnce, whole.length);
    // Not inside a character.
    while (end < whole.length && ((whole[end] as number) & 0xc0) === 0x80) end++;
    text += whole.toString('utf8', at, end);
    at = end;
    yield;
  }
  return text;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers?: Record<string, string>,
): void {
  if (response.headersSent || response.destroyed) return;
  const length = Buffer.byteLength(text);
  const usual = { 'Content-Type': 'application/json', 'Content-Length': length };
  response.writeHead(status, headers === undefined ? usual : { ...usual, ...headers });
  endText(response, text, length);
}

export function sendStatus(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Length': 0, ...headers });
  response.end();
}
