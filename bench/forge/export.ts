// An exported server: the size of its files, and how long a cold start takes until tools/list is answered, beside a bare Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { exportSource } from '../../src/services/forge/export/write.ts';
import { openForge } from '../../src/services/forge/forge.ts';

const starts = 15;
const handshake = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

export async function run({ document, folder, root }: Record<'document' | 'folder' | 'root', string>): Promise<void> {
  symlinkSync(join(root, 'dist/forge-server.mjs'), join(folder, 'dist/forge-server.mjs'));
  const forge = openForge({ folder, reserved: async () => [] });
  await forge.add({ name: 'api', from: document, isPerson: true });
  const out = join(folder, 'api-mcp');
  const { tools } = await exportSource(forge, 'api', { out, version: '1.0.0', pins: [] });
  for (const file of ['server.mjs', ...readdirSync(join(out, 'data')).map((name) => `data/${name}`)])
    console.log(`${String(Math.round(statSync(join(out, file)).size / 1024)).padStart(6)} KB ${file}`);
  const times: Record<'bare' | 'exported', Cost[]> = { bare: [], exported: [] };
  // In turn, so that a busy machine slows both down alike.
  for (let at = 0; at < starts; at++) {
    times.bare.push(await measure(['-e', 'process.stdin.resume().on("data", () => console.log("{\\"id\\":2}"))']));
    times.exported.push(await measure([join(out, 'server.mjs')]));
  }
  console.log(`${tools} tools, ${starts} starts each, median:`);
  for (const [name, costs] of Object.entries(times))
    console.log(
      `${name}: ${median(costs.map(({ wall }) => wall))} ms, processor ${median(costs.map(({ busy }) => busy))} ms`,
    );
}

interface Cost {
  wall: number;
  busy: number;
}

/** From the start of the process to the answer, and the processor time until then. */
async function measure(args: string[]): Promise<Cost> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(handshake);
  let text = '';
  for await (const part of child.stdout) {
    text += part;
    if (text.includes('"id":2')) break;
  }
  const wall = performance.now() - started;
  const busy = readProcessorTime(child.pid as number);
  child.kill();
  await once(child, 'close');
  return { wall, busy };
}

/** User and system time, which Linux counts in hundredths of a second. */
function readProcessorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function median(values: number[]): number {
  return Math.round(values.sort((a, b) => a - b)[values.length >> 1] as number);
}
