// The other client, in a thread of its own: pings all the time, and reports the slowest ping since it was last asked.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { post } from './post.mjs';

const everyMs = 2;
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

let slowest = 0;
parentPort?.on('message', () => {
  parentPort?.postMessage(slowest);
  slowest = 0;
});

for (;;) {
  const { ms } = await post(workerData, '/mcp', ping, agent);
  slowest = Math.max(slowest, ms);
  await sleep(everyMs);
}
