// What the wake-ups of other servers cost: the same writes through two teams of servers, in turn. The servers of one are built
// without wake-ups. Each server has a client of each tenant that watches, so that it also looks for what it was woken for.
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { createTenantRole } from '../../test/support/tenants.ts';
import { watch } from './probe.ts';
import { openWriters, startWriting, type TeamNumbers } from './run.ts';
import { startServers } from './servers.ts';
import { median, ratioOf, round } from './stats.ts';

export interface NotifyNumbers extends Pick<TeamNumbers, 'servers' | 'tenants' | 'writers'> {
  /** Pairs of measurements. */
  rounds: number;
  /** Both teams without wake-ups: the ratio should be 1. */
  control: boolean;
}

interface NotifyOptions extends NotifyNumbers {
  root: string;
  folder: string;
}

/** Of each writer in a round. */
const writesEach = 4;
const warmUps = 3;

export async function compareNotified(options: NotifyOptions, createDatabase: (name: string) => Promise<string>) {
  const { rounds, control } = options;
  const notified = await openTeam(options, await createDatabase('notified'), control);
  const silent = await openTeam(options, await createDatabase('silent'), true);
  const pairs: [number, number][] = [];
  for (let at = -warmUps; at < rounds; at++) {
    // The order alternates, because the load of the machine changes.
    const order = at % 2 === 0 ? [notified, silent] : [silent, notified];
    const rates = new Map<object, number>();
    for (const team of order) rates.set(team, await startWriting(team.writers, writesEach).done);
    if (at >= 0) pairs.push([rates.get(notified) as number, rates.get(silent) as number]);
  }
  await Promise.all([notified.stop(), silent.stop()]);
  return {
    writesPerSecond: round(median(pairs.map(([one]) => one))),
    withoutNotify: round(median(pairs.map(([, other]) => other))),
    ...ratioOf(pairs),
  };
}

async function openTeam(options: NotifyOptions, admin: string, isSilent: boolean) {
  const { root, folder, servers, writers: count } = options;
  // Beside the packages that the bundle of this bench finds.
  const outfile = join(folder, `dist/${isSilent ? 'silent' : 'notified'}-server.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/team/server.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: isSilent ? [withoutWakeUps] : [],
  });
  const tenants = Array.from({ length: options.tenants }, (_, at) => `t${at}`);
  const db = await createTenantRole(admin);
  const { team, balancer, open, stop } = await startServers({ folder, servers, db, program: [outfile] });
  const writers = await openWriters(balancer.url, tenants, count, open);
  for (const { url } of team)
    for (const tenant of tenants) await watch(await open(url, tenant, 'watch'), await open(url, tenant, 'watch'));
  return { writers, stop };
}

const withoutWakeUps: Plugin = {
  name: 'without-wake-ups',
  setup: ({ onLoad }) =>
    onLoad({ filter: /store[\\/]postgres[\\/]wake\.ts$/ }, () => ({
      contents: `export const createWake = () => ({ announce() {}, listen: () => () => {}, async close() {} });`,
    })),
};
