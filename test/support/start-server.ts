// Starts a server entry as a real child process, over HTTP on a free port or over stdio. No settings of the person who
// runs the tests reach it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundle } from './bundle.ts';
import { createFolder } from './folder.ts';

export interface ServerProcess {
  child: ChildProcessWithoutNullStreams;
  /** What it has written to stderr. */
  log(): string;
  /** Asks it to end, and resolves with its exit code. */
  stop(): Promise<number | null>;
}

interface HttpServerProcess extends ServerProcess {
  url: string;
}

export async function startServer(
  entry: string,
  transport: 'http' | 'stdio',
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const path = await bundle(entry, { format: 'esm', packages: 'external' });
  const folder = createFolder('server');
  const child = spawn(process.execPath, [path, transport], {
    cwd: createFolder('work'),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LORE_CONFIG: join(folder, 'config.json'),
      LORE_RANK: 'fast',
      ...settings,
    },
  });
  let log = '';
  child.stderr.on('data', (part: Buffer) => {
    log += part;
  });
  return {
    child,
    log: () => log,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exit;
      return code as number | null;
    },
  };
}

export async function startHttpServer(
  entry: string,
  settings: Record<string, string> = {},
): Promise<HttpServerProcess> {
  const server = await startServer(entry, 'http', { LORE_PORT: '0', ...settings });
  const lines = createInterface({ input: server.child.stdout });
  const ended = once(server.child, 'exit').then(() => Promise.reject(new Error(`the server ended:\n${server.log()}`)));
  const [url] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => {});
  return { ...server, url };
}
