// The files of the dashboard, which the build puts into dist/web. They contain no data; every other path gets the page, whose
// script reads the path.
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { findPages } from '../../core/page.ts';
import { sendStatus } from '../body.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** For everything below /ui. */
export const pageHeaders = {
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

export function createAssets(): (name: string, response: ServerResponse) => void {
  const files = readAll();
  return (name, response) => {
    const type = extname(name) || '.html';
    const file = files.get(extname(name) === '' ? 'index.html' : name);
    if (!file) return sendStatus(response, 404);
    response.writeHead(200, { 'Content-Type': types[type] ?? 'application/octet-stream' });
    response.end(file);
  };
}

/** In memory, so that an update of the package does not change the files of a running server. */
function readAll(): Map<string, Buffer> {
  const folder = findPages();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}
