// The built server over stdio, called as a client calls it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './bundle.mjs';

export const lore = join(root, 'bin/lore.cjs');

/**
 * Where nothing of the person's own is read or written; `given` goes before.
 * @param {string} folder the bench's own
 * @param {NodeJS.ProcessEnv} [given]
 */
export function createEnvironment(folder, given = {}) {
  return {
    ...process.env,
    HOME: folder,
    LORE_DB: join(folder, 'lore.db'),
    LORE_CONFIG: join(folder, 'config.json'),
    LOG_LEVEL: 'error',
    // A bench calls more often than any client.
    LORE_RATE_LIMIT: '100000',
    ...given,
  };
}

/** @param {{ env: NodeJS.ProcessEnv, cwd: string }} place */
export async function startServer({ env, cwd }) {
  const child = spawn(process.execPath, [lore, 'stdio', '--structured'], {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
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
    send,
    /** Of the process, in megabytes. */
    measureMemory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async call(/** @type {string} */ name, /** @type {object} */ args) {
      const answer = await send('tools/call', { name, arguments: args });
      if (answer.error || answer.result.isError) throw new Error(JSON.stringify(answer));
      return answer.result;
    },
  };
}

export function summarize(/** @type {number[]} */ times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)] };
}

/** In milliseconds. */
export async function time(/** @type {() => unknown} */ work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
