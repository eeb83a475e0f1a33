// The first validated call against the second in a fresh process: what a lazily loaded validator would cost a user.
import { performance } from 'node:perf_hooks';
import { callEcho } from '../requests.mjs';
import { takeRounds } from '../rounds.mjs';
import { listStdioServers } from '../servers.mjs';
import { buildTable } from '../statistics.mjs';
import { StdioServer } from '../stdio-server.mjs';

/** @param {StdioServer} running */
async function timeCall(running) {
  const start = performance.now();
  await running.ask(callEcho);
  return performance.now() - start;
}

/** @param {import('../servers.mjs').Server} server */
async function compareCalls(server) {
  const running = new StdioServer(server);
  await running.open();
  const first = await timeCall(running);
  const second = await timeCall(running);
  await running.close();
  return { first, second, extra: first - second };
}

/** @type {import('../rounds.mjs').Measure} */
export const first = {
  id: 'first',
  about: 'first tools/call against the second in a fresh stdio process',
  async run({ ours, quick }) {
    const servers = new Map(listStdioServers(ours).map((server) => [server.id, server]));
    const rounds = await takeRounds(servers, quick ? 5 : 15, compareCalls);
    const columns = [
      { key: 'first', title: 'first, ms', digits: 2 },
      { key: 'second', title: 'second, ms', digits: 2 },
      { key: 'extra', title: 'first - second, ms', digits: 2 },
    ];
    const note = 'asked right after initialize, without a pause';
    return [buildTable({ id: 'first', title: 'First call, stdio', columns, note }, rounds)];
  },
};
