// The HTTP load generator: a process of its own that keeps N raw sockets busy with prebuilt requests, one outstanding
// request each, for a time or a number of requests. It must cost far less than any server, hence no HTTP library.
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { HttpResponseReader } from './http-response.mjs';
import { idStart } from './requests.mjs';

/**
 * @typedef {object} LoadOrder
 * @property {number} port
 * @property {string[]} requests one prebuilt request per connection, its JSON-RPC id being `idStart`
 * @property {number} durationMs stop starting requests after this time…
 * @property {number} count …or after this many, whichever comes first
 */
/** @typedef {{ done: number, failed: number, ms: number, bytes: number, cpuMs: number }} LoadReport */

const idDigits = String(idStart).length;

/** @param {Buffer} request @param {number} offset of the id's first digit */
function countIdUp(request, offset) {
  let at = offset + idDigits - 1;
  while (request[at] === 57) request[at--] = 48;
  request[at] += 1;
}

/**
 * One keep-alive connection. Reads go into one shared buffer and past the stream machinery: half the cost of 'data'.
 * @param {{ port: number, request: Buffer, report: LoadReport, mayStart: () => boolean }} options
 * @returns {{ socket: import('node:net').Socket, run: () => Promise<void> }}
 */
function openConnection({ port, request, report, mayStart }) {
  const idOffset = request.indexOf(`"id":${idStart}`) + 5;
  /** @type {() => void} */
  let finish = () => {};
  const sendNext = () => {
    countIdUp(request, idOffset);
    socket.write(request);
  };
  const reader = new HttpResponseReader((status) => {
    if (status === 200) report.done += 1;
    else report.failed += 1;
    if (mayStart()) sendNext();
    else finish();
  });
  const onread = {
    buffer: Buffer.allocUnsafe(65_536),
    callback(/** @type {number} */ length, /** @type {Uint8Array} */ buffer) {
      report.bytes += length;
      reader.push(/** @type {Buffer} */ (buffer).subarray(0, length));
      return true;
    },
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  const run = () =>
    new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      finish = () => {
        resolve();
        socket.end();
      };
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('The server closed a connection in use')));
      if (mayStart()) sendNext();
      else finish();
    });
  return { socket, run };
}

/** @param {LoadOrder} order @returns {Promise<LoadReport>} */
async function runLoad({ port, requests, durationMs, count }) {
  const report = { done: 0, failed: 0, ms: 0, bytes: 0, cpuMs: 0 };
  let started = 0;
  let begin = 0;
  const mayStart = () => started < count && performance.now() - begin < durationMs && ++started > 0;
  const connections = requests.map((request) =>
    openConnection({ port, request: Buffer.from(request), report, mayStart }),
  );
  await Promise.all(connections.map(({ socket }) => once(socket, 'connect')));
  const cpu = process.cpuUsage();
  begin = performance.now();
  await Promise.all(connections.map(({ run }) => run()));
  report.ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  report.cpuMs = (user + system) / 1000;
  return report;
}

process.on('message', async (/** @type {LoadOrder} */ order) => {
  try {
    process.send?.({ report: await runLoad(order) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
