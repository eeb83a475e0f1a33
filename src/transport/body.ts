// Reading a request's body, and answering with JSON.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endText } from './outbox.ts';

export type Refused = 'too large' | 'not UTF-8';
export type Body = { text: string } | { refused: Refused };

export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

export function isJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  return type !== undefined && (type === 'application/json' || /^application\/json\s*(;|$)/i.test(type));
}

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

/** Calls back once with the whole body, or with why there is none; never for a request that was broken off. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  done: (body: Body) => void,
): void {
  const parts: Buffer[] = [];
  let length = 0;
  const refuse = () => {
    drain(request);
    // The client sees at once that nothing more will come, and we wait for it only within those limits.
    response.on('finish', () => request.socket.end());
    done({ refused: 'too large' });
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refuse();
  const keep = (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) return void parts.push(part);
    parts.length = 0;
    request.off('data', keep).off('end', finish);
    refuse();
  };
  const finish = () => {
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    done(isUtf8(whole) ? { text: whole.toString() } : { refused: 'not UTF-8' });
  };
  request.on('data', keep).on('end', finish);
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
  endText(response, text);
}

export function sendStatus(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Length': 0, ...headers });
  response.end();
}
