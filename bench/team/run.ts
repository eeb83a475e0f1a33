// Servers, a balancer and clients: writes of all tenants at once, how soon other servers see a change, one server killed
// meanwhile, and at the end what each tenant can see of the others.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../../src/store/open.ts';
import { locateTenant } from '../../src/store/postgres/tenant.ts';
import { createRandom } from '../../test/fuzz/random.ts';
import { findPort, startBalancer } from '../../test/support/balancer.ts';
import { createTenantRole, raw, tryReading } from '../../test/support/tenants.ts';
import { openTokenIssuer, type TokenIssuer } from '../../test/support/token-issuer.ts';
import { TeamClient } from './client.ts';

export interface TeamNumbers {
  servers: number;
  tenants: number;
  /** For each tenant. */
  writers: number;
  /** Of each writer. */
  writes: number;
  queries: number;
  /** Changes of each tenant whose way to another server is timed, before the load and during it. */
  probes: number;
}

interface TeamOptions extends TeamNumbers {
  root: string;
  folder: string;
  /** The address of an empty database, as a superuser. */
  admin: string;
}

interface TeamServer {
  url: string;
  child: ChildProcess;
}

const resource = 'https://lore.example.com/mcp';

export async function runTeam(options: TeamOptions) {
  const { tenants: count, writers, writes, queries, probes, admin } = options;
  const url = await createTenantRole(admin);
  const issuer = await openTokenIssuer(resource);
  const tenants = Array.from({ length: count }, (_, at) => `t${at}`);
  const team = await startServers(options, url, issuer);
  const balancer = await startBalancer(team.map((one) => one.url));
  const open = (address: string, tenant: string, person: string) =>
    new TeamClient(address, tokensOf(issuer, tenant, person)).open();
  try {
    const quiet = await probeAll(team, tenants, open, probes);
    const clients = await Promise.all(
      tenants.flatMap((tenant) =>
        Array.from({ length: writers }, async (_, at) => ({
          tenant,
          client: await open(balancer.url, tenant, `w${at}`),
          name: `${tenant}w${at}`,
        })),
      ),
    );
    let done = 0;
    let onHalf = () => {};
    const half = new Promise<void>((resolve) => {
      onHalf = resolve;
    });
    const start = performance.now();
    const writing = Promise.all(
      clients.map(async ({ client, name }) => {
        for (let at = 0; at < writes; at++) {
          await client.call('remember', { content: `Marker ${name}n${at}x of ${name} was written in round ${at}.` });
          if (++done === Math.floor((clients.length * writes) / 2)) onHalf();
        }
      }),
    );
    const [busy] = await Promise.all([probeAll(team.slice(1), tenants, open, probes), half.then(() => kill(team))]);
    await writing;
    const seconds = (performance.now() - start) / 1000;
    const attempts = clients.map(({ client }) => client);
    return {
      servers: team.length,
      clients: clients.length,
      writesPerSecond: Math.round((clients.length * writes) / seconds),
      seenElsewhereMs: { quiet: percentiles(quiet), underLoad: percentiles(busy) },
      killed: {
        retries: attempts.reduce((sum, { retries }) => sum + retries, 0),
        clientsThatRetried: attempts.filter(({ retries }) => retries > 0).length,
        mostAttemptsOfARequest: Math.max(...attempts.map(({ mostAttempts }) => mostAttempts)),
      },
      lost: await countLost(url, tenants, writers, writes),
      foreignRows: await countForeign(url, tenants, queries),
      foreignResults: await countForeignResults(balancer.url, tenants, open),
    };
  } finally {
    await balancer.close();
    for (const { child } of team) child.kill('SIGKILL');
    await issuer.lab.server.close();
  }
}

async function startServers({ root, folder, servers }: TeamOptions, db: string, issuer: TokenIssuer) {
  const ports = await Promise.all(Array.from({ length: servers }, findPort));
  return Promise.all(
    ports.map(async (port): Promise<TeamServer> => {
      const home = join(folder, `server-${port}`);
      mkdirSync(home);
      const config = join(home, 'config.json');
      const claims = { tenant: 'org' };
      writeFileSync(
        config,
        JSON.stringify({
          oauth_issuer: issuer.lab.origin,
          oauth_resource: resource,
          oauth_claims: claims,
          peer_url: `http://127.0.0.1:${port}`,
          log_level: 'warn',
        }),
      );
      const child = spawn(process.execPath, [join(root, 'bin/lore.cjs'), 'serve', '--port', String(port), '--json'], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, LORE_CONFIG: config, LORE_DB: db, LORE_RANK: 'fast' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      return { url: (JSON.parse(line) as { url: string }).url, child };
    }),
  );
}

/** A token lasts; a new one for each request would measure the signatures of the bench. */
function tokensOf(issuer: TokenIssuer, tenant: string, person: string): () => string {
  const token = issuer.token({ org: tenant, sub: person, exp: Math.floor(Date.now() / 1000) + 3_600 });
  return () => token;
}

async function kill([server]: TeamServer[]): Promise<void> {
  const ended = once(server?.child as ChildProcess, 'exit');
  server?.child.kill('SIGKILL');
  await ended;
}

type Open = (address: string, tenant: string, person: string) => Promise<TeamClient>;

/** For each tenant, from the response of a change on one server to the notification by another, in ms. */
async function probeAll(team: TeamServer[], tenants: readonly string[], open: Open, times: number): Promise<number[]> {
  const urlAt = (at: number) => (team[at % team.length] as TeamServer).url;
  const all = tenants.map(async (tenant, at) =>
    probe(await open(urlAt(at), tenant, 'probe'), await open(urlAt(at + 1), tenant, 'probe'), times),
  );
  return (await Promise.all(all)).flat();
}

async function probe(writer: TeamClient, reader: TeamClient, times: number): Promise<number[]> {
  const stored = await writer.call('remember', { content: `The probe ${Math.random()} is watched by another server.` });
  const id = /\bn_\w+/.exec(stored)?.[0] as string;
  const { error } = await reader.request('resources/subscribe', { uri: `lore://memory/${id}` });
  if (error) throw new Error(error.message);
  const ending = new AbortController();
  const notes = reader.listen(ending.signal);
  const taken: number[] = [];
  // It looks for changes from the first subscription on.
  let next = notes.next();
  for (let at = 0; at < times; at++) {
    await writer.call('forget', { id, undo: at % 2 === 1 });
    const changed = performance.now();
    await next;
    taken.push(Math.max(0, performance.now() - changed));
    next = notes.next();
  }
  next.catch(() => {});
  ending.abort();
  return taken;
}

/** Acknowledged writes that are not in the database. */
async function countLost(url: string, tenants: readonly string[], writers: number, writes: number): Promise<number> {
  let lost = 0;
  for (const tenant of tenants) {
    const store = await openStore(locateTenant(url, tenant));
    const rows = await store.all<{ text: string }>(raw("select text from node where text like 'Marker %'"));
    const found = new Set(rows.map(({ text }) => text.split(' ', 2)[1]));
    for (let writer = 0; writer < writers; writer++)
      for (let at = 0; at < writes; at++) if (!found.has(`${tenant}w${writer}n${at}x`)) lost++;
    await store.close();
  }
  return lost;
}

/** Rows that random queries of each tenant read from the next one's tables. */
async function countForeign(url: string, tenants: readonly string[], queries: number): Promise<number> {
  let seen = 0;
  for (const [at, tenant] of tenants.entries()) {
    const store = await openStore(locateTenant(url, tenant));
    const other = tenants[(at + 1) % tenants.length] as string;
    seen += await tryReading(store, other, Math.ceil(queries / tenants.length), createRandom(1, at));
    await store.close();
  }
  return seen;
}

/** Results of recall that another tenant stored. */
async function countForeignResults(url: string, tenants: readonly string[], open: Open): Promise<number> {
  let seen = 0;
  for (const [at, tenant] of tenants.entries()) {
    const client = await open(url, tenant, 'w0');
    for (const other of tenants.filter((_, index) => index !== at)) {
      const query = `Marker ${other}w0n0x of ${other}w0`;
      const found = await client.call('recall', { query, project: 'all' });
      if (found.includes(`${other}w0n`)) seen++;
    }
  }
  return seen;
}

function percentiles(values: number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), most: at(1), count: sorted.length };
}
