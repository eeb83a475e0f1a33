// Reading a request's body, and answering with JSON.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Refused = 'too large' | 'not UTF-8';
export type Body = { text: string } | { refused: Refused };

/** Calls back once with the whole body, or with why there is none; never for a request that was broken off. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return done({ refused: 'too large' });
  const parts: Buffer[] = [];
  let length = 0;
  let refused = false;
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) {
      parts.push(part);
      return;
    }
    parts.length = 0;
    if (!refused) done({ refused: 'too large' });
    refused = true;
  });
  request.on('end', () => {
    if (refused) return;
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    done(isUtf8(whole) ? { text: whole.toString() } : { refused: 'not UTF-8' });
  });
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
  response.end(text);
}

export function sendStatus(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Length': 0, ...headers });
  response.end();
}
