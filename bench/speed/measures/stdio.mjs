// The running cost of stdio: small calls pipelined and one at a time, tools/list of 40, and a 1 MB answer.
import { callBig, callEcho, listTools } from '../requests.mjs';
import { calibrateCount, chargeCalls, takeRounds } from '../rounds.mjs';
import { listStdioServers } from '../servers.mjs';
import { buildTable } from '../statistics.mjs';
import { StdioServer } from '../stdio-server.mjs';

const cpu = { key: 'cpuUs', title: 'CPU a call, µs', digits: 1, ratio: true };
const throughput = { key: 'perSecond', title: 'calls/s', digits: 0, ratio: true };
const latency = { key: 'ms', title: 'time a call, ms', digits: 3, ratio: true };

/** @typedef {(running: StdioServer, count: number) => Promise<void>} Load */

/** @param {import('../requests.mjs').Operation} operation @returns {Load} */
const pipeline = (operation) => (running, count) => running.pipeline(operation, count);

/** @param {import('../requests.mjs').Operation} operation @returns {Load} */
const oneAtATime = (operation) => async (running, count) => {
  for (let n = 0; n < count; n += 1) await running.pipeline(operation, 1);
};

/**
 * @param {import('../rounds.mjs').Context} context
 * @param {{ id: string, title: string, columns: import('../statistics.mjs').Column[] }} head
 * @param {Load} load
 */
async function measureLoad({ ours, quick, progress }, head, load) {
  progress(head.title);
  const roundMs = quick ? 400 : 1000;
  const running = new Map(listStdioServers(ours).map((server) => [server.id, new StdioServer(server)]));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [id, server] of running) {
    await server.open();
    counts.set(id, await calibrateCount((count) => load(server, count), roundMs));
  }
  const rounds = await takeRounds(running, quick ? 3 : 7, (server, id) =>
    chargeCalls(server.pid, counts.get(id) ?? 0, (count) => load(server, count)),
  );
  for (const server of running.values()) await server.close();
  const note = `calls a round: ${[...counts].map(([id, count]) => `${id} ${count}`).join(', ')}`;
  return buildTable({ ...head, note }, rounds);
}

/** @type {import('../rounds.mjs').Measure} */
export const stdio = {
  id: 'stdio',
  about: 'CPU and throughput of small stdio calls',
  async run(context) {
    const head = { id: 'stdio', title: 'Small calls over stdio, pipelined', columns: [cpu, throughput] };
    const single = { id: 'stdio-single', title: 'Small calls over stdio, one at a time', columns: [cpu, latency] };
    return [
      await measureLoad(context, head, pipeline(callEcho)),
      await measureLoad(context, single, oneAtATime(callEcho)),
    ];
  },
};

/** @type {import('../rounds.mjs').Measure} */
export const stdioList = {
  id: 'stdio-list',
  about: 'tools/list of 40 tools over stdio',
  async run(context) {
    const head = { id: 'stdio-list', title: 'tools/list of 40 over stdio, pipelined', columns: [cpu, throughput] };
    return [await measureLoad(context, head, pipeline(listTools))];
  },
};

/** @type {import('../rounds.mjs').Measure} */
export const stdioBig = {
  id: 'stdio-big',
  about: 'a 1 MB text result over stdio',
  async run(context) {
    const head = { id: 'stdio-big', title: 'A 1 MB result over stdio, one at a time', columns: [cpu, latency] };
    return [await measureLoad(context, head, oneAtATime(callBig))];
  },
};
