// Cold start: from spawning a process to holding its answer to `initialize`.
import { performance } from 'node:perf_hooks';
import { HttpServer } from '../http-server.mjs';
import { initialize } from '../requests.mjs';
import { takeRounds } from '../rounds.mjs';
import { listSessionServers, listStdioServers, shipped } from '../servers.mjs';
import { buildTable } from '../statistics.mjs';
import { StdioServer } from '../stdio-server.mjs';

const columns = [{ key: 'ms', title: 'to initialize, ms', digits: 1, ratio: true }];

/** @param {import('../servers.mjs').Server} server */
async function startStdio(server) {
  const start = performance.now();
  const running = new StdioServer(server);
  await running.open();
  const ms = performance.now() - start;
  await running.close();
  return { ms };
}

/** @param {import('../servers.mjs').Server} server */
async function startHttp(server) {
  const running = await HttpServer.start(server);
  const { status } = await running.askUntilUp(initialize);
  const ms = performance.now() - running.spawnedAt;
  if (status !== 200) throw new Error(`${server.id} answered initialize with ${status}`);
  await running.close();
  return { ms };
}

/** @param {import('../servers.mjs').Server[]} servers @param {import('../rounds.mjs').Context} context */
function indexServers(servers, { bundledSdk }) {
  // Ours starts as it ships; its 40 tools in place of one would not be asked for.
  const all = servers.map((server) => (server.id === 'lorekeeper' ? { ...server, ...shipped } : server));
  // Ours ships as a bundle; the SDK is shown that way too, so that nobody takes bundling for a merit of the code.
  if (bundledSdk) all.push({ id: 'sdk-v2 bundled', program: bundledSdk, era: 'legacy' });
  return new Map(all.map((server) => [server.id, server]));
}

/** @type {import('../rounds.mjs').Measure} */
export const cold = {
  id: 'cold',
  about: 'cold start to the answer to initialize, stdio and HTTP',
  async run(context) {
    const rounds = context.quick ? 7 : 21;
    const stdio = indexServers(listStdioServers(context.ours), context);
    const http = indexServers(listSessionServers(context.ours), context);
    for (const server of stdio.values()) await startStdio(server);
    const stdioRounds = await takeRounds(stdio, rounds, startStdio);
    const httpRounds = await takeRounds(http, rounds, startHttp);
    const note = `median of ${rounds} interleaved starts`;
    return [
      buildTable({ id: 'cold-stdio', title: 'Cold start, stdio', columns, note }, stdioRounds),
      buildTable({ id: 'cold-http', title: 'Cold start, HTTP', columns, note }, httpRounds),
    ];
  },
};
