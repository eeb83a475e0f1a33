// The memory bench: the tools over stdio on a database of many memories, and the prompt hook beside a bare start of Node.
// node bench/memory/main.mjs [--memories 100000] [--database FILE]      FILE is filled if it is not there, and kept.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { root, runBundled } from '../bundle.mjs';

const { values } = parseArgs({
  options: { memories: { type: 'string', default: '100000' }, database: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'lore-bench-memory-'));
const database = values.database ?? join(folder, 'lore.db');
const project = `${database}.project`;
const lore = join(root, 'bin/lore.cjs');
const env = {
  ...process.env,
  LORE_DB: database,
  LORE_CONFIG: join(folder, 'none.json'),
  HOME: folder,
  LOG_LEVEL: 'error',
};
const bounds = { recall: 15, enhance: 20, remember: 5, learn: 5 };

try {
  const count = Number(values.memories);
  const questions = await runBundled('bench/memory/fill.ts', { database, project, count, fill: !existsSync(database) });
  const server = await startServer();
  await measureTools(server, questions);
  await measureHook(questions);
  server.child.kill();
  await measureHook(questions, 'with no server running');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Awaited<ReturnType<typeof startServer>>} server @param {{ asked: string[], prompts: string[], notes: string[] }} questions */
async function measureTools({ call }, { asked, prompts, notes }) {
  const tools = {
    recall: (/** @type {number} */ n) => ({ query: asked[n] }),
    enhance: (/** @type {number} */ n) => ({ prompt: prompts[n] }),
    remember: (/** @type {number} */ n) => ({ content: notes[n] }),
    learn: (/** @type {number} */ n) => ({ content: notes[n + 200] }),
  };
  for (const [name, args] of Object.entries(tools)) {
    for (let n = 0; n < 20; n++) await call(name, args(n));
    const times = [];
    for (let n = 20; n < 120; n++) {
      const begun = performance.now();
      await call(name, args(n));
      times.push(performance.now() - begun);
    }
    const { p50, p95 } = summarize(times);
    console.log(
      `${name} | ${p50.toFixed(2)} ms (p95 ${p95.toFixed(2)}) | bound ${bounds[name]} | ${p50 <= bounds[name] ? 'holds' : 'BROKEN'}`,
    );
  }
}

/** @param {{ prompts: string[] }} questions */
async function measureHook({ prompts }, when = 'with a server in the folder') {
  const times = { hook: [], bare: [] };
  for (let n = 0; n < 25; n++) {
    const input = JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      prompt: prompts[n],
      cwd: project,
      session_id: 's',
    });
    times.hook.push(
      time(() => spawnSync(process.execPath, [lore, 'hook', 'UserPromptSubmit'], { input, env, cwd: project })),
    );
    times.bare.push(time(() => spawnSync(process.execPath, ['-e', '0'], { env })));
  }
  const [hook, bare] = [summarize(times.hook.slice(5)).p50, summarize(times.bare.slice(5)).p50];
  const bound = bare * 1.5 + 30;
  console.log(
    `prompt hook, ${when} | ${hook.toFixed(1)} ms | node -e 0 ${bare.toFixed(1)} | bound ${bound.toFixed(1)} | ${hook <= bound ? 'holds' : 'BROKEN'}`,
  );
}

async function startServer() {
  const child = spawn(process.execPath, [lore, 'stdio'], { env, cwd: project, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const send = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const clientInfo = { name: 'bench', version: '1' };
  await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return {
    child,
    async call(/** @type {string} */ name, /** @type {object} */ args) {
      const answer = await send('tools/call', { name, arguments: args });
      if (answer.error || answer.result.isError) throw new Error(JSON.stringify(answer));
      return answer.result;
    },
  };
}

function time(/** @type {() => unknown} */ work) {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

function summarize(/** @type {number[]} */ times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)] };
}
