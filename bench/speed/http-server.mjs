// A server under test on HTTP: start on a free port, await it, open sessions, and load it through the generator.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpResponseReader } from './http-response.mjs';
import { readCpuMs } from './process-cost.mjs';
import { encodeHttpRequest, initialize, initialized } from './requests.mjs';
import { endServer, openLog, readLogTail, serverEnv, track, workspace } from './workspace.mjs';

const generator = track(fork(fileURLToPath(new URL('./http-load.mjs', import.meta.url)), { stdio: 'inherit' }));
generator.unref();
generator.channel?.unref();

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

export class HttpServer {
  #child;
  #era;
  port;
  spawnedAt = performance.now();

  /** @param {import('./servers.mjs').Server} server @param {number} port @param {string[]} nodeFlags */
  constructor({ id, program, mode = 'http', portFlag, era }, port, nodeFlags) {
    this.port = port;
    this.#era = era;
    const log = openLog(id);
    const args = [...nodeFlags, program, mode, ...(portFlag ? [portFlag] : []), String(port)];
    this.#child = track(spawn(process.execPath, args, { cwd: workspace, env: serverEnv, stdio: ['ignore', log, log] }));
    this.#child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') console.error(`${id} exited (${code}):\n${readLogTail(id)}`);
    });
  }

  /** @param {import('./servers.mjs').Server} server @param {string[]} [nodeFlags] */
  static async start(server, nodeFlags = []) {
    return new HttpServer(server, await findFreePort(), nodeFlags);
  }

  get pid() {
    return /** @type {number} */ (this.#child.pid);
  }

  /**
   * Ask one request on a connection of its own.
   * @param {import('./requests.mjs').Operation} operation @param {string} [session]
   * @returns {Promise<{ status: number, session?: string, message: any }>}
   */
  ask(operation, session) {
    const request = encodeHttpRequest(operation, { port: this.port, era: this.#era, session });
    return new Promise((resolve, reject) => {
      const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
      const reader = new HttpResponseReader(
        (status, head, body) => {
          socket.destroy();
          const json = head.includes('text/event-stream') ? body.slice(body.indexOf('data: ') + 6) : body;
          const found = /\r\nmcp-session-id: (\S+)/i.exec(head)?.[1];
          resolve({ status, session: found, message: json.startsWith('{') ? JSON.parse(json) : json });
        },
        { keepBody: true },
      );
      socket.on('data', (chunk) => reader.push(chunk));
      socket.on('error', reject);
    });
  }

  /** Ask until the server listens and answers. @param {import('./requests.mjs').Operation} operation */
  async askUntilUp(operation) {
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error('The server exited before it listened');
      try {
        return await this.ask(operation);
      } catch {
        await sleep(1);
      }
    }
  }

  /** @returns {Promise<string | undefined>} the session's id; undefined in the stateless era */
  async openSession() {
    if (this.#era === 'modern') return undefined;
    const { status, session } = await this.askUntilUp(initialize);
    if (status !== 200 || !session) throw new Error(`initialize was answered ${status}, session ${session}`);
    await this.ask(initialized, session);
    return session;
  }

  /**
   * Keep one connection per session busy, and say what it cost the server.
   * @param {import('./requests.mjs').Operation} operation
   * @param {{ sessions: (string | undefined)[], durationMs?: number, count?: number }} order
   */
  async load(operation, { sessions, durationMs = 1e9, count = 1e9 }) {
    const requests = sessions.map((session) =>
      encodeHttpRequest(operation, { port: this.port, era: this.#era, session }),
    );
    const before = readCpuMs(this.pid);
    const reported = once(generator, 'message');
    generator.send({ port: this.port, requests, durationMs, count });
    const [{ report, error }] = await reported;
    if (error) throw new Error(`The load generator failed: ${error}`);
    if (report.failed > 0) throw new Error(`${report.failed} of ${report.done + report.failed} requests failed`);
    const cpuMs = readCpuMs(this.pid) - before;
    return { ...report, perSecond: (report.done * 1000) / report.ms, cpuUs: (cpuMs * 1000) / report.done };
  }

  async close() {
    await endServer(this.#child);
  }
}
