// How long the server keeps others waiting: while one client makes calls with hostile texts, another pings. Prints the texts
// that kept the event loop longest (milliseconds of CPU in one go) and the slowest ping (by the clock, other processes included).
// node bench/latency/main.mjs [--all] [--few] [name…]    names are those of calls.mjs
// --all prints every text; --few gives only those that have kept the server longest
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEnvironment, lore } from '../stdio.mjs';
import { listCalls } from './calls.mjs';
import { fewTexts, texts } from './texts.mjs';

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const wantsAll = process.argv.includes('--all');
const longestAllowed = 50;

const folder = mkdtempSync(join(tmpdir(), 'lore-latency-'));
const project = join(folder, 'project');
mkdirSync(project);

const probe = fileURLToPath(new URL('probe.mjs', import.meta.url));
const server = spawn(process.execPath, ['--import', probe, lore, 'serve', '--port', '0', '--json'], {
  cwd: project,
  env: createEnvironment(folder, { LORE_RATE_LIMIT: '100000' }),
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const [greeting] = await once(server.stdout ?? process.stdin, 'data');
const { url } = JSON.parse(String(greeting));

const callers = new Agent({ keepAlive: true, maxSockets: 1 });
const pingers = new Agent({ keepAlive: true, maxSockets: 1 });

/** @param {string} path @param {string} body @param {Agent} agent @returns {Promise<{ status: number, ms: number }>} */
function post(path, body, agent) {
  const started = performance.now();
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(new URL(path, url), { method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - started }));
    });
    sent.on('error', () => resolve({ status: 0, ms: performance.now() - started }));
    sent.end(body);
  });
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } });

let isCalling = true;
let slowestPing = 0;
async function keepPinging() {
  while (isCalling) {
    const { ms } = await post('/mcp', ping, pingers);
    slowestPing = Math.max(slowestPing, ms);
  }
}

/** The longest slice since it was last asked. @returns {Promise<number>} */
async function readProbe() {
  const answer = once(server, 'message');
  server.send('read');
  const [{ longest }] = await answer;
  return longest;
}

await post('/mcp/collection/create', '{"collection_name":"c"}', callers);
await post('/mcp/remember', '{"content":"warm up the rules: token=abc"}', callers);
await new Promise((resolve) => setTimeout(resolve, 500));

const pinging = keepPinging();
/** @type {Map<string, { unit: string, status: number, ms: number, slice: number, pinged: number }[]>} */
const rows = new Map();
const given = process.argv.includes('--few') ? fewTexts : texts;
const wants = (/** @type {string} */ name) => names.length === 0 || names.includes(name);
for (const { name, unit, path, body } of listCalls(project, given, wants)) {
  await readProbe();
  slowestPing = 0;
  const { status, ms } = await post(path, body, callers);
  const slice = await readProbe();
  if (slice > longestAllowed) console.error(`${name} ${JSON.stringify(unit)}: ${slice.toFixed(0)} ms`);
  rows.set(name, [...(rows.get(name) ?? []), { unit, status, ms, slice, pinged: slowestPing }]);
}
isCalling = false;
await pinging;

console.log(
  `${'call'.padEnd(26)}${'slice CPU'.padStart(10)}${'ping'.padStart(9)}${'call'.padStart(9)}  status and text`,
);
for (const [name, results] of rows) {
  const worst = results.sort((a, b) => b.slice - a.slice).slice(0, wantsAll ? undefined : 3);
  for (const { unit, status, ms, slice, pinged } of worst) {
    if (slice > longestAllowed) process.exitCode = 1;
    const times = [slice.toFixed(0).padStart(10), pinged.toFixed(0).padStart(9), ms.toFixed(0).padStart(9)].join('');
    console.log(`${name.padEnd(26)}${times}  ${status} ${JSON.stringify(unit)}`);
  }
}
server.kill();
await once(server, 'exit');
rmSync(folder, { recursive: true, force: true });
