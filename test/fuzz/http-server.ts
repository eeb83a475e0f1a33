// The server as a child process over HTTP, with one session of a given revision in it.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { initialize } from '../support/http.ts';
import { startServer } from '../support/start-server.ts';
import { type Expected, goodRequest } from './http-cases.ts';
import { writeRequest } from './http-message.ts';
import { createHttpTarget } from './http-target.ts';

export interface HttpServerTarget {
  readonly port: number;
  readonly pid: number;
  readonly sessionId: string;
  readonly alive: boolean;
  log(): string;
  /** Posts a body in the session; what is wrong with the answer, or nothing. */
  tryBody(body: Buffer, expected: Expected): Promise<string | undefined>;
  stop(): Promise<unknown>;
}

export async function startHttpTarget(revision: string, settings: Record<string, string>): Promise<HttpServerTarget> {
  const server = await startServer('test/conformance/fixture/main.ts', 'http', { LORE_PORT: '0', ...settings });
  const [url] = (await once(createInterface({ input: server.child.stdout }), 'line')) as [string];
  const sessionId = (await initialize(url, revision))['Mcp-Session-Id'] as string;
  const port = Number(new URL(url).port);
  const target = createHttpTarget(port);
  return {
    port,
    sessionId,
    pid: server.child.pid as number,
    get alive() {
      return server.child.exitCode === null && server.child.signalCode === null;
    },
    log: server.log,
    tryBody(body, expected) {
      const bytes = writeRequest(goodRequest({ sessionId }, body));
      return target.try({ number: 0, kind: 'body', bytes, expected: [expected] });
    },
    stop() {
      target.close();
      return server.stop();
    },
  };
}
