// What a call costs through the gateway, compared with the same server directly, in alternating rounds of one run: the time of
// single calls, and calls per second with 200 in flight. The client is the same code in every case, and writes the same values.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEnvironment, lore } from '../stdio.mjs';

const servers = Object.fromEntries(
  ['upstream', 'sdk-upstream', 'proxy'].map((name) => [name, join(import.meta.dirname, `${name}.mjs`)]),
);
const counts = { warm: 3_000, rounds: 7, single: 1_000, many: 8_000, inFlight: 200 };

/** A client that writes and reads lines, the same for every server. */
async function connect(command, args, env, toCall) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  const send = (method, params) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const clientInfo = { name: 'bench', version: '1' };
  await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = async (value) => {
    const { content } = await send('tools/call', toCall(value));
    if (!content[0].text.includes(value)) throw new Error(JSON.stringify(content));
  };
  await call('first');
  return { call, end: () => child.kill(), readCpu: () => readCpu(child.pid) };
}

/** Processor time of a process, in ms: unlike a time, it does not depend on what else the machine does. */
function readCpu(pid) {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measure({ call, readCpu: cpu }) {
  const times = [];
  const atStart = cpu();
  for (let at = 0; at < counts.single; at++) {
    const started = performance.now();
    await call(`value ${at}`);
    times.push(performance.now() - started);
  }
  const before = cpu();
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < counts.many) await call(`value ${next++}`);
  };
  await Promise.all(Array.from({ length: counts.inFlight }, worker));
  return {
    times,
    rates: (counts.many * 1_000) / (performance.now() - started),
    singleCpu: (before - atStart) / counts.single,
    manyCpu: (cpu() - before) / counts.many,
  };
}

function median(values, share = 0.5) {
  const sorted = values.flat().sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
}

/** Names of tools, as the client has to call them. */
const directly = (value) => ({ name: 'echo', arguments: { value } });
const through = (mount) => (value) => ({
  name: 'tool_read',
  arguments: { name: `${mount}_echo`, arguments: { value } },
});

export async function measureOverhead() {
  const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
  const env = createEnvironment(folder);
  writeFileSync(env.LORE_CONFIG, '{}');
  const mounts = { bare: servers.upstream, own: servers.upstream, sdk: servers['sdk-upstream'] };
  for (const [name, file] of Object.entries(mounts)) {
    const mounted = spawnSync(process.execPath, [lore, 'mount', name, '--', process.execPath, file], { env });
    if (mounted.status !== 0) throw new Error(String(mounted.stderr));
  }
  const node = (args, toCall) => connect(process.execPath, args, env, toCall);
  // Each group is compared with its first. "shared" calls through the process of "tool_read", which runs the servers.
  const groups = {
    'bare server': {
      direct: await node([servers.upstream], directly),
      'smallest proxy': await node([servers.proxy], directly),
      tool_read: await node([lore, 'stdio'], through('bare')),
      shared: await node([lore, 'stdio'], through('bare')),
      'own names': await node([lore, 'stdio', '--source', 'own'], directly),
    },
    'server with the official SDK': {
      direct: await node([servers['sdk-upstream']], directly),
      tool_read: await node([lore, 'stdio'], through('sdk')),
    },
  };
  const all = Object.values(groups).flatMap((clients) => Object.values(clients));
  const results = new Map(all.map((client) => [client, []]));
  for (const client of all) for (let at = 0; at < counts.warm; at++) await client.call('warm');
  for (let round = 0; round < counts.rounds; round++)
    for (const client of all) results.get(client).push(await measure(client));
  for (const client of all) client.end();
  rmSync(folder, { recursive: true, force: true });
  for (const [group, clients] of Object.entries(groups)) {
    console.log(`\n${group}`);
    let direct;
    for (const [name, client] of Object.entries(clients)) {
      const rounds = results.get(client);
      const of = (key, share) =>
        median(
          rounds.map((round) => round[key]),
          share,
        );
      const p50 = of('times');
      direct ??= p50;
      console.log(
        `  ${name.padEnd(15)} p50 ${p50.toFixed(3)} ms (${(p50 / direct).toFixed(1)}x)  p99 ${of('times', 0.99).toFixed(2)} ms  ${Math.round(of('rates'))} calls/s at ${counts.inFlight} in flight  processor: ${of('singleCpu').toFixed(3)} ms a single call, ${of('manyCpu').toFixed(3)} ms of many`,
      );
    }
  }
}
