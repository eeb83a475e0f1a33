// Writes of all tenants at once, as fast as they can and at half that rate, how soon other servers see a change meanwhile, one
// server killed, the connections of wake-ups killed, and at the end what each tenant can see of the others.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { createTenantRole, raw } from '../../test/support/tenants.ts';
import type { TeamClient } from './client.ts';
import { countForeign, countForeignResults, countLost } from './isolation.ts';
import { probeAll, watch } from './probe.ts';
import { kill, type OpenClient, startServers, type TeamServer } from './servers.ts';
import { round } from './stats.ts';

export interface TeamNumbers {
  servers: number;
  tenants: number;
  /** For each tenant. */
  writers: number;
  /** Of each writer, without a pause; then half as many at half the rate. */
  writes: number;
  queries: number;
  /** Changes of each tenant whose way to another server is timed, at least, before the load and during it. */
  probes: number;
}

interface TeamOptions extends TeamNumbers {
  root: string;
  folder: string;
  /** The address of an empty database, as a superuser. */
  admin: string;
}

export interface Writer {
  tenant: string;
  name: string;
  client: TeamClient;
  /** The words by which its writes are found. */
  written: string[];
}

export async function runTeam(options: TeamOptions) {
  const { root, folder, servers, writers: count, writes, queries, probes: times, admin } = options;
  const db = await createTenantRole(admin);
  const tenants = Array.from({ length: options.tenants }, (_, at) => `t${at}`);
  const program = [join(root, 'bin/lore.cjs'), 'serve'];
  const { team, balancer, open, stop } = await startServers({ folder, servers, db, program });
  const probe = (probed: readonly TeamServer[], until?: Promise<unknown>) =>
    probeAll({ team: probed, tenants, open, times, admin, ...(until && { until }) });
  try {
    const quiet = await probe(team);
    const writers = await openWriters(balancer.url, tenants, count, open);
    const rest = team.slice(1);
    const full = startWriting(writers, writes);
    const [busy] = await Promise.all([probe(rest, full.done), full.half.then(() => kill(team[0] as TeamServer))]);
    const perSecond = await full.done;
    const clients = writers.map(({ client }) => client);
    const killed = {
      retries: clients.reduce((sum, { retries }) => sum + retries, 0),
      clientsThatRetried: clients.filter(({ retries }) => retries > 0).length,
      mostAttemptsOfARequest: Math.max(...clients.map(({ mostAttempts }) => mostAttempts)),
    };
    const calm = startWriting(writers, Math.ceil(writes / 2), perSecond / 2);
    const halfBusy = await probe(rest, calm.done);
    const written = new Map(tenants.map((tenant) => [tenant, writtenBy(writers, tenant)]));
    return {
      servers: team.length,
      clients: clients.length,
      quiet,
      full: { writesPerSecond: round(perSecond), ...busy },
      half: { writesPerSecond: round(await calm.done), ...halfBusy },
      killed,
      wakeUpsKilledMs: await killWakeUps(admin, rest, tenants, open),
      acknowledged: [...written.values()].flat().length,
      lost: await countLost(db, written),
      ...(await countForeign(db, admin, tenants, queries)),
      foreignResults: await countForeignResults(balancer.url, tenants, open),
    };
  } finally {
    await stop();
  }
}

export function openWriters(
  url: string,
  tenants: readonly string[],
  count: number,
  open: OpenClient,
): Promise<Writer[]> {
  const writers = tenants.flatMap((tenant) => Array.from({ length: count }, (_, at) => ({ tenant, person: `w${at}` })));
  return Promise.all(
    writers.map(async ({ tenant, person }) => {
      const client = await open(url, tenant, person);
      return { tenant, name: `${tenant}${person}`, client, written: [] };
    }),
  );
}

/** `half` resolves when half of it is written, `done` with the writes per second. Without a rate, as many as possible. */
export function startWriting(writers: readonly Writer[], writes: number, perSecond = Number.POSITIVE_INFINITY) {
  const start = performance.now();
  const apartMs = (1000 * writers.length) / perSecond;
  let count = 0;
  let onHalf = () => {};
  const half = new Promise<void>((resolve) => {
    onHalf = resolve;
  });
  const write = async ({ name, client, written }: Writer) => {
    const offset = Math.random();
    for (let at = 0; at < writes; at++) {
      const waitMs = start + (offset + at) * apartMs - performance.now();
      if (waitMs > 0) await pause(waitMs);
      const marker = `${name}n${written.length}x`;
      await client.call('remember', { content: `Marker ${marker} of ${name} was written in round ${written.length}.` });
      written.push(marker);
      if (++count === Math.floor((writers.length * writes) / 2)) onHalf();
    }
  };
  const done = Promise.all(writers.map(write)).then(() => (count * 1000) / (performance.now() - start));
  return { half, done };
}

function writtenBy(writers: readonly Writer[], tenant: string): string[] {
  return writers.filter((writer) => writer.tenant === tenant).flatMap(({ written }) => written);
}

/** A connection that listens may also have sent a wake-up. */
const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
  where (query like 'listen %' or query like '%pg_notify%') and pid <> pg_backend_pid()`;

/** How long after the loss of every listening connection a change is seen, for each tenant. */
async function killWakeUps(admin: string, team: readonly TeamServer[], tenants: readonly string[], open: OpenClient) {
  const store = await openStore(admin);
  const urlAt = (at: number) => (team[at % team.length] as TeamServer).url;
  const taken: number[] = [];
  for (const [at, tenant] of tenants.entries()) {
    const watched = await watch(await open(urlAt(at), tenant, 'probe'), await open(urlAt(at + 1), tenant, 'probe'));
    await watched.change();
    await store.all(raw(terminate));
    taken.push(round(await watched.change()));
    watched.end();
  }
  await store.close();
  return taken;
}
