// A server under test on stdio: start, ask one thing and await it, or pipeline many and count the answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { encodeMessage, idStart, initialize, initialized } from './requests.mjs';
import { endServer, openLog, readLogTail, serverEnv, track, workspace } from './workspace.mjs';

const requestsPerWrite = 64;

export class StdioServer {
  #child;
  #stdin;
  #nextId = idStart;
  /** Called with every chunk; set anew by each way of asking. @type {(chunk: Buffer) => void} */
  #onData = () => {};
  /** @type {(error: Error) => void} */ #onFailure = () => {};

  /** @param {import('./servers.mjs').Server} server */
  constructor({ id, program }) {
    const log = openLog(id);
    const options = { cwd: workspace, env: serverEnv };
    this.#child = track(spawn(process.execPath, [program, 'stdio'], { ...options, stdio: ['pipe', 'pipe', log] }));
    this.#stdin = /** @type {import('node:stream').Writable} */ (this.#child.stdin);
    this.#child.stdout?.on('data', (chunk) => this.#onData(chunk));
    this.#child.once('exit', (code) => this.#onFailure(new Error(`${id} exited (${code}):\n${readLogTail(id)}`)));
  }

  get pid() {
    return /** @type {number} */ (this.#child.pid);
  }

  /**
   * Ask one request and await its answer.
   * @param {import('./requests.mjs').Operation} operation
   * @returns {Promise<any>} the parsed message
   */
  async ask(operation) {
    const id = this.#nextId++;
    let text = '';
    const answered = new Promise((resolve, reject) => {
      this.#onFailure = reject;
      this.#onData = (chunk) => {
        text += chunk.toString('utf8');
        if (!text.endsWith('\n')) return;
        const messages = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        const answer = messages.find((message) => message.id === id);
        if (answer) resolve(answer);
      };
    });
    this.#stdin.write(`${encodeMessage(operation, id)}\n`);
    return answered;
  }

  async open() {
    const answer = await this.ask(initialize);
    this.#stdin.write(`${encodeMessage(initialized)}\n`);
    return answer;
  }

  /**
   * Send requests one after another without waiting, as fast as the pipe takes them, until all are answered.
   * @param {import('./requests.mjs').Operation} operation @param {number} count
   */
  async pipeline(operation, count) {
    let missing = count;
    const answered = new Promise((resolve, reject) => {
      this.#onFailure = reject;
      this.#onData = (chunk) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) missing -= 1;
        if (missing <= 0) resolve(undefined);
      };
    });
    const batches = this.#encodeBatches(operation, count);
    for (const batch of batches) if (!this.#stdin.write(batch)) await once(this.#stdin, 'drain');
    await answered;
    if (missing < 0) throw new Error(`${-missing} answers too many`);
  }

  /** @param {import('./requests.mjs').Operation} operation @param {number} count */
  #encodeBatches(operation, count) {
    const batches = [];
    for (let sent = 0; sent < count; sent += requestsPerWrite) {
      let text = '';
      for (let n = sent; n < Math.min(count, sent + requestsPerWrite); n += 1) {
        text += `${encodeMessage(operation, this.#nextId++)}\n`;
      }
      batches.push(Buffer.from(text));
    }
    return batches;
  }

  async close() {
    this.#onFailure = () => {};
    await endServer(this.#child);
  }
}
