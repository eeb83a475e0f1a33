// Repositories served as a forge does: by git's own daemon, and by its own program behind HTTP, with a login or without.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { dirname, join } from 'node:path';

export interface GitServer {
  url: string;
  close(): Promise<void>;
}

const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export function runGit(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
}

/** A bare repository with one commit of these files, or one commit more. */
export function commitFiles(bare: string, files: Record<string, string | Buffer>): void {
  const work = `${bare}-work`;
  mkdirSync(work, { recursive: true });
  runGit(work, 'init', '--quiet', '--initial-branch=main');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  runGit(work, 'add', '--all', '--force');
  runGit(work, 'commit', '--quiet', '--message=files');
  mkdirSync(bare, { recursive: true });
  runGit(bare, 'init', '--quiet', '--bare', '--initial-branch=main');
  runGit(bare, 'config', 'uploadpack.allowFilter', 'true');
  runGit(work, 'push', '--quiet', '--force', bare, 'main');
}

/** Everything below the folder, over git's own protocol. */
export async function startDaemon(folder: string): Promise<GitServer> {
  const probe = createSocketServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const options = ['--verbose', '--export-all', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`];
  const child = spawn('git', ['daemon', ...options, `--base-path=${folder}`, folder], { env, detached: true });
  let said = '';
  while (!said.includes('Ready to rumble')) said += (await once(child.stderr, 'data'))[0];
  return {
    url: `git://127.0.0.1:${port}`,
    async close() {
      const ended = once(child, 'close');
      process.kill(-(child.pid as number), 'SIGKILL');
      await ended;
    },
  };
}

interface HttpOptions {
  /** `user:password` that every request must bring. */
  login?: string;
  /** Called for every request. */
  onRequest?(request: IncomingMessage): void;
}

/** Everything below the folder, over HTTP. */
export async function startHttp(folder: string, { login, onRequest }: HttpOptions = {}): Promise<GitServer> {
  return listen((request, response) => {
    onRequest?.(request);
    const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
    if (expected !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else runBackend(folder, request, response);
  });
}

interface FileOptions extends Pick<HttpOptions, 'onRequest'> {
  /** A request that is never answered. */
  holds?(request: IncomingMessage): boolean;
}

/** The files below the folder as any web server sends them: git calls this "dumb HTTP". */
export function startFileServer(folder: string, { onRequest, holds }: FileOptions = {}): Promise<GitServer> {
  return listen((request, response) => {
    onRequest?.(request);
    if (holds?.(request)) return;
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      response.end(readFileSync(join(folder, pathname)));
    } catch {
      response.writeHead(404).end();
    }
  });
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<GitServer> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers like a script behind a web server: its heads first, then the rest. */
function runBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on('data', (part: Buffer) => {
    if (response.headersSent) return void response.write(part);
    head = Buffer.concat([head, part]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const fields = head.toString('latin1', 0, end).split('\r\n');
    const pairs = fields.map((field) => field.split(/:\s*/, 2) as [string, string]);
    const status = pairs.find(([name]) => name.toLowerCase() === 'status')?.[1];
    response.writeHead(
      Number.parseInt(status ?? '200', 10),
      Object.fromEntries(pairs.filter(([name]) => name !== 'Status')),
    );
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
}
