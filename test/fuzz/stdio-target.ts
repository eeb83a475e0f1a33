// The server as a child process on stdio, fed with raw bytes; says what came back between two points of the input.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type ServerProcess, startServer } from '../support/start-server.ts';
import { describeText } from './answers.ts';

export interface StdioTarget {
  readonly server: ServerProcess;
  readonly alive: boolean;
  /** Feeds the bytes, waits until the server has dealt with them, and returns its answers in the model's words. */
  exchange(bytes: Buffer, cuts?: readonly number[]): Promise<string[]>;
  request(method: string, params?: object): Promise<{ [key: string]: unknown }>;
}

export async function startStdioTarget(settings: Record<string, string>): Promise<StdioTarget> {
  const server = await startServer('test/conformance/fixture/main.ts', 'stdio', settings);
  const { child } = server;
  let answers: string[] = [];
  let requests = 0;
  let alive = true;
  const waiting = new Map<string, (text: string) => void>();
  const gone = once(child, 'close').then(() => {
    alive = false;
    throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}:\n${server.log().slice(-2_000)}`);
  });
  gone.catch(() => {});
  // What is written to a server that has died is lost, which its end tells well enough.
  child.stdin.on('error', () => {});

  createInterface({ input: child.stdout }).on('line', (text) => {
    const mark = /^\{"jsonrpc":"2\.0","id":"(mark-\d+)"/.exec(text)?.[1];
    const resolve = mark === undefined ? undefined : waiting.get(mark);
    if (resolve) resolve(text);
    else answers.push(describeText(text));
  });

  async function write(bytes: Buffer): Promise<void> {
    if (!child.stdin.write(bytes)) await Promise.race([once(child.stdin, 'drain'), gone]);
  }

  async function request(method: string, params?: object): Promise<{ [key: string]: unknown }> {
    const id = `mark-${++requests}`;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    await write(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`));
    const text = await Promise.race([answer, gone]);
    waiting.delete(id);
    return JSON.parse(text) as { [key: string]: unknown };
  }

  return {
    server,
    get alive() {
      return alive;
    },
    request,
    async exchange(bytes, cuts = []) {
      answers = [];
      let start = 0;
      for (const cut of [...cuts, bytes.length]) {
        await write(bytes.subarray(start, cut));
        start = cut;
      }
      // The first mark may overtake answers of its own turn; the second comes a turn later.
      await request('ping');
      await request('ping');
      return answers;
    },
  };
}
