// What a call costs through the gateway, compared with the same server directly, in alternating rounds of one run: the time of
// single calls, and calls per second with 200 in flight.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEnvironment, lore } from '../stdio.mjs';

const upstream = join(import.meta.dirname, 'upstream.mjs');
const counts = { rounds: 5, single: 400, many: 8_000, inFlight: 200 };

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
    perSecond: (counts.many * 1_000) / (performance.now() - started),
    cpu: (cpu() - before) / counts.many,
  };
}

const at = (sorted, share) => sorted[Math.floor(sorted.length * share)];

export async function measureOverhead() {
  const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
  const env = createEnvironment(folder);
  writeFileSync(env.LORE_CONFIG, '{}');
  const mounted = spawnSync(process.execPath, [lore, 'mount', 'bare', '--', process.execPath, upstream], { env });
  if (mounted.status !== 0) throw new Error(String(mounted.stderr));
  const through = (value) => ({ name: 'tool_read', arguments: { name: 'bare_echo', arguments: { value } } });
  const clients = {
    direct: await connect(process.execPath, [upstream], process.env, (value) => ({
      name: 'echo',
      arguments: { value },
    })),
    gateway: await connect(process.execPath, [lore, 'stdio'], env, through),
    // Its calls go through the process before, which runs the server.
    shared: await connect(process.execPath, [lore, 'stdio'], env, through),
  };
  const results = Object.fromEntries(Object.keys(clients).map((name) => [name, { times: [], rates: [], cpus: [] }]));
  for (let round = 0; round < counts.rounds; round++) {
    for (const [name, client] of Object.entries(clients)) {
      const { times, perSecond, cpu } = await measure(client);
      results[name].times.push(...times);
      results[name].rates.push(perSecond);
      results[name].cpus.push(cpu);
    }
  }
  for (const client of Object.values(clients)) client.end();
  rmSync(folder, { recursive: true, force: true });
  const rows = Object.entries(results).map(([name, { times, rates, cpus }]) => {
    times.sort((a, b) => a - b);
    rates.sort((a, b) => a - b);
    cpus.sort((a, b) => a - b);
    return { name, p50: at(times, 0.5), p99: at(times, 0.99), perSecond: at(rates, 0.5), cpu: at(cpus, 0.5) };
  });
  const [direct] = rows;
  for (const { name, p50, p99, perSecond, cpu } of rows)
    console.log(
      `${name.padEnd(8)} p50 ${p50.toFixed(3)} ms (${(p50 / direct.p50).toFixed(1)}x)  p99 ${p99.toFixed(2)} ms  ${Math.round(perSecond)} calls/s at ${counts.inFlight} in flight  ${cpu.toFixed(3)} ms of processor time a call`,
    );
}
