// What idle HTTP sessions keep in memory: 10,000 initialize requests, garbage collected, resident memory compared.
import { fileURLToPath } from 'node:url';
import { HttpServer } from '../http-server.mjs';
import { readRssMb, readSettledRssMb } from '../process-cost.mjs';
import { initialize } from '../requests.mjs';
import { listSessionServers } from '../servers.mjs';
import { buildTable } from '../statistics.mjs';

const preload = fileURLToPath(new URL('../gc-on-signal.cjs', import.meta.url));
// Many, because fastmcp lets every initialize wait a second.
const connections = 500;

/** @param {HttpServer} server */
function collectGarbage(server) {
  process.kill(server.pid, 'SIGUSR2');
  return readSettledRssMb(server.pid);
}

/** @param {import('../servers.mjs').Server} entry @param {number} count */
async function fillWithSessions(entry, count) {
  const server = await HttpServer.start(entry, ['--expose-gc', '--require', preload]);
  try {
    await server.openSession();
    const sessions = Array.from({ length: connections }, () => undefined);
    // Enough to compile the hot code, so that its memory is not charged to the sessions.
    await server.load(initialize, { sessions, count: 1000 });
    const before = await collectGarbage(server);
    const { done } = await server.load(initialize, { sessions, count });
    const uncollected = readRssMb(server.pid) - before;
    const added = (await collectGarbage(server)) - before;
    return { before, uncollected, added, perSession: (added * 1024) / done };
  } finally {
    await server.close();
  }
}

/** @type {import('../rounds.mjs').Measure} */
export const sessions = {
  id: 'sessions',
  about: 'resident memory added by 10,000 idle HTTP sessions',
  async run({ ours, quick, progress }) {
    const count = quick ? 2000 : 10_000;
    const rounds = new Map();
    for (const entry of listSessionServers(ours)) {
      progress(`${count} sessions: ${entry.id}`);
      rounds.set(entry.id, [await fillWithSessions(entry, count)]);
    }
    const columns = [
      { key: 'before', title: 'RSS before, MB', digits: 1 },
      { key: 'uncollected', title: 'added before GC, MB', digits: 1 },
      { key: 'added', title: 'added, MB', digits: 1 },
      { key: 'perSession', title: 'KB a session', digits: 2 },
    ];
    const note = 'garbage collected by the same signal handler in every server; 1,000 sessions exist before';
    return [buildTable({ id: 'sessions', title: `${count} idle HTTP sessions`, columns, note }, rounds)];
  },
};
