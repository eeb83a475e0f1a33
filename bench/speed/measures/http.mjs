// The running cost of HTTP: small calls on 1, 16 and 64 keep-alive connections, tools/list of 40, and a 1 MB answer.
// Every connection has a session of its own, because request ids must be unique within one.
import { HttpServer } from '../http-server.mjs';
import { callBig, callEcho, listTools } from '../requests.mjs';
import { takeRounds, warmUpMs } from '../rounds.mjs';
import { listHttpServers } from '../servers.mjs';
import { buildTable } from '../statistics.mjs';

const columns = [
  { key: 'perSecond', title: 'requests/s', digits: 0, ratio: true },
  { key: 'cpuUs', title: 'CPU a call, µs', digits: 1, ratio: true },
  { key: 'generator', title: 'generator busy, %', digits: 0 },
];

/**
 * @param {import('../rounds.mjs').Context} context
 * @param {{ id: string, title: string, connections: number }} head
 * @param {import('../requests.mjs').Operation} operation
 */
async function measureLoad({ ours, quick, progress }, { id, title, connections }, operation) {
  progress(title);
  const durationMs = quick ? 400 : 1000;
  /** @type {Map<string, { server: HttpServer, sessions: (string | undefined)[] }>} */
  const running = new Map();
  for (const entry of listHttpServers(ours)) {
    const server = await HttpServer.start(entry);
    await server.askUntilUp(listTools);
    const sessions = await Promise.all(Array.from({ length: connections }, () => server.openSession()));
    await server.load(operation, { sessions, durationMs: warmUpMs });
    running.set(entry.id, { server, sessions });
  }
  const rounds = await takeRounds(running, quick ? 3 : 5, async ({ server, sessions }) => {
    const { perSecond, cpuUs, cpuMs, ms } = await server.load(operation, { sessions, durationMs });
    return { perSecond, cpuUs, ms: 1000 / perSecond, generator: (cpuMs * 100) / ms };
  });
  for (const { server } of running.values()) await server.close();
  return { id, title, rounds };
}

/** @type {import('../rounds.mjs').Measure} */
export const http = {
  id: 'http',
  about: 'requests/s and CPU of small HTTP calls on 1, 16 and 64 connections',
  async run(context) {
    const tables = [];
    for (const connections of [1, 16, 64]) {
      const title = `Small calls over HTTP, ${connections} connection${connections > 1 ? 's' : ''}`;
      const { rounds, ...head } = await measureLoad(
        context,
        { id: `http-${connections}`, title, connections },
        callEcho,
      );
      tables.push(buildTable({ ...head, columns }, rounds));
    }
    return tables;
  },
};

/** @type {import('../rounds.mjs').Measure} */
export const httpList = {
  id: 'http-list',
  about: 'tools/list of 40 tools over HTTP',
  async run(context) {
    const wanted = { id: 'http-list', title: 'tools/list of 40 over HTTP, 16 connections', connections: 16 };
    const { rounds, ...head } = await measureLoad(context, wanted, listTools);
    return [buildTable({ ...head, columns }, rounds)];
  },
};

/** @type {import('../rounds.mjs').Measure} */
export const httpBig = {
  id: 'http-big',
  about: 'a 1 MB text result over HTTP',
  async run(context) {
    const wanted = { id: 'http-big', title: 'A 1 MB result over HTTP, one at a time', connections: 1 };
    const { rounds, ...head } = await measureLoad(context, wanted, callBig);
    const latency = { key: 'ms', title: 'time a call, ms', digits: 3, ratio: true };
    return [buildTable({ ...head, columns: [latency, ...columns.slice(1)] }, rounds)];
  },
};
