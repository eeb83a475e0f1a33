// Processes: ten of ours share six servers, and whatever is killed, nothing is left behind. Only on Linux, where processes can be counted.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createEnvironment, lore, startServer } from '../stdio.mjs';

const counts = { own: 10, servers: 6 };
const waitMs = 15_000;

/** An argument of every server, by which its processes are found. */
const mark = `life-${process.pid}`;

function listServers() {
  return readdirSync('/proc').filter((pid) => {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return /^\d+$/.test(pid) && args.at(-2)?.startsWith(mark) && !args.includes('mount');
    } catch {
      return false;
    }
  });
}

async function settle(wanted) {
  for (const until = Date.now() + waitMs; listServers().length !== wanted && Date.now() < until; ) await wait(50);
  return listServers().length;
}

export async function measureLife() {
  const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
  const env = createEnvironment(folder);
  writeFileSync(env.LORE_CONFIG, '{}');
  const run = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [lore, ...args], { env });
    if (status !== 0) throw new Error(String(stderr));
  };
  const mount = (name, file) =>
    run('mount', name, '--', process.execPath, join(import.meta.dirname, file), `${mark}-${name}`);
  const names = Array.from({ length: counts.servers }, (_, at) => `server${at}`);
  for (const name of names) mount(name, 'upstream.mjs');
  const open = () => startServer({ env, cwd: folder });
  const echo = (server, name) => server.call('tool_read', { name: `${name}_echo`, arguments: { value: 'x' } });
  const end = async ({ child }, signal) => {
    const ended = once(child, 'exit');
    if (signal) child.kill(signal);
    else child.stdin.end();
    await ended;
  };

  const own = await Promise.all(Array.from({ length: counts.own }, open));
  await Promise.all(own.flatMap((server) => names.map((name) => echo(server, name))));
  console.log(
    `${counts.own} processes that call ${counts.servers} servers each: ${listServers().length} processes of servers`,
  );

  const [victim] = listServers();
  const calls = own.flatMap((server) => names.map((name) => echo(server, name)));
  process.kill(Number(victim), 'SIGKILL');
  const ended = await Promise.allSettled(calls);
  await Promise.all(own.flatMap((server) => names.map((name) => echo(server, name))));
  console.log(
    `a server killed during ${calls.length} calls: ${ended.filter(({ status }) => status === 'rejected').length} errors, and the next calls work`,
  );

  const holder = own.shift();
  await end(holder, 'SIGKILL');
  await Promise.all(own.flatMap((server) => names.map((name) => echo(server, name))));
  console.log(`one of ours killed: ${await settle(counts.servers)} processes of servers after the next calls`);

  await Promise.all(own.map((server) => end(server)));
  console.log(`all of ours ended: ${await settle(0)} left`);

  // Their tools have the names of the next one's, which would be suspicious.
  for (const name of names) run('mount', 'unmount', name);
  mount('wrapped', 'wrapper.mjs');
  await settle(0);
  const polite = await open();
  await echo(polite, 'wrapped');
  const before = listServers().length;
  await end(polite);
  console.log(
    `a server that started another, both of which ignore SIGTERM: ${before} processes, ${await settle(0)} left`,
  );

  const killed = await open();
  await echo(killed, 'wrapped');
  await end(killed, 'SIGKILL');
  const left = listServers().length;
  const next = await open();
  await next.call('tool_find', { queries: ['echo'] });
  console.log(`the same, after SIGKILL of ours: ${left} left, ${await settle(0)} after the next start`);
  await end(next);
  rmSync(folder, { recursive: true, force: true });
}
