// The files of the dashboard, which the build puts into dist/web. They contain no data; every other path gets the page, whose
// script reads the path.
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { findPages } from '../../core/page.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
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
    const file = files.get(name) ?? files.get('index.html');
    const isFile = files.has(name) || extname(name) === '';
    response.writeHead(isFile ? 200 : 404, {
      'Content-Type': types[isFile ? extname(name) || '.html' : ''] ?? 'text/plain',
    });
    response.end(isFile ? file : 'Not found');
  };
}

/** In memory, so that an update of the package does not change the files of a running server. */
function readAll(): Map<string, Buffer> {
  const folder = findPages();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}
