// Reading a request's body, and answering with JSON.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Refused = 'too large' | 'not UTF-8' | 'broken off';
export type Body = { text: string } | { refused: Refused };

export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return resolve({ refused: 'too large' });
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (length > maxBytes) return resolve({ refused: 'too large' });
      parts.push(part);
    });
    request.on('end', () => {
      const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      resolve(isUtf8(whole) ? { text: whole.toString() } : { refused: 'not UTF-8' });
    });
    request.on('error', () => resolve({ refused: 'broken off' }));
    request.on('close', () => resolve({ refused: 'broken off' }));
  });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length, ...headers });
  response.end(text);
}

export function sendStatus(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Length': 0, ...headers });
  response.end();
}
