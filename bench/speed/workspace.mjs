// The bench's throw-away folder: servers run in it, with it as HOME, and leave their stderr there for the curious.
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const workspace = mkdtempSync(join(tmpdir(), 'lorekeeper-bench-'));

// A clean environment is the same for everyone: no NODE_OPTIONS, no settings of the person who runs the bench.
export const serverEnv = { PATH: process.env.PATH, HOME: workspace, NODE_ENV: 'production' };

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** @template {import('node:child_process').ChildProcess} T @param {T} child @returns {T} */
export function track(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/**
 * Asked to end, as clients do, so that it can leave behind what its next start is quicker with; killed if it does not hear.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function endServer(child) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await exited;
  clearTimeout(late);
}

/** @param {string} id */
export function openLog(id) {
  return openSync(join(workspace, `${id.replaceAll(' ', '-')}.log`), 'a');
}

/** @param {string} id */
export function readLogTail(id) {
  return readFileSync(join(workspace, `${id.replaceAll(' ', '-')}.log`), 'utf8').slice(-2000);
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(workspace, { recursive: true, force: true });
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => process.exit(130));
