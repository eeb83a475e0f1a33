// The page on this machine that a browser returns to after a login (RFC 8252). It accepts one answer, with the expected state.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoreError } from '../error.ts';

export interface LoginCallback {
  readonly redirectUri: string;
  /** The parameters of the answer. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

const path = '/callback';
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

/** `port`: for servers that accept one redirect address only. */
export async function openCallback(state: string, port = 0): Promise<LoginCallback> {
  let accept: (answer: URLSearchParams) => void;
  const answer = new Promise<URLSearchParams>((resolve) => {
    accept = resolve;
  });
  const server = createServer(({ method, url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    if (method !== 'GET' || pathname !== path || searchParams.get('state') !== state) {
      // Another page may have sent it: the login is still open.
      response.writeHead(404, headers).end(showPage('This page is not part of a login.'));
      return;
    }
    const isDone = searchParams.has('code');
    response
      .writeHead(200, headers)
      .end(
        showPage(isDone ? 'Logged in. You can close this page.' : 'The login was refused. You can close this page.'),
      );
    accept(searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new LoreError('unavailable', `Cannot wait for the browser on port ${port}: ${cause.code}`, { cause })),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () => {
    server.close();
    server.closeIdleConnections();
  };
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, answer, close };
}

function showPage(text: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Lorekeeper</title><style>body{font:1.1rem system-ui;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}</style><h1>Lorekeeper</h1><p>${text}</p></html>`;
}
