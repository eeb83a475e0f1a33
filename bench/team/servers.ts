// The servers of a team, each a process, behind a balancer, with an authorization server for the logins of their clients.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPort, startBalancer } from '../../test/support/balancer.ts';
import { openTokenIssuer } from '../../test/support/token-issuer.ts';
import { TeamClient } from './client.ts';

export interface TeamServer {
  url: string;
  child: ChildProcess;
}

export type OpenClient = (address: string, tenant: string, person: string) => Promise<TeamClient>;

interface ServerOptions {
  folder: string;
  servers: number;
  /** The address of the database, as a role that is subject to row security. */
  db: string;
  /** The program of a server and its arguments, without the port. */
  program: readonly string[];
}

const resource = 'https://lore.example.com/mcp';
let started = 0;

export async function startServers({ folder, servers, db, program }: ServerOptions) {
  const issuer = await openTokenIssuer(resource);
  const ports = await Promise.all(Array.from({ length: servers }, findPort));
  const team = await Promise.all(
    ports.map(async (port): Promise<TeamServer> => {
      const home = join(folder, `server-${++started}`);
      mkdirSync(home);
      const config = join(home, 'config.json');
      const settings = {
        oauth_issuer: issuer.lab.origin,
        oauth_resource: resource,
        oauth_claims: { tenant: 'org' },
        peer_url: `http://127.0.0.1:${port}`,
        log_level: 'warn',
      };
      writeFileSync(config, JSON.stringify(settings));
      const env = { PATH: process.env.PATH, HOME: home, LORE_CONFIG: config, LORE_DB: db, LORE_RANK: 'fast' };
      const child = spawn(process.execPath, [...program, '--port', String(port), '--json'], {
        cwd: home,
        env: { ...env, LORE_PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      return { url: (JSON.parse(line) as { url: string }).url, child };
    }),
  );
  const balancer = await startBalancer(team.map((one) => one.url));

  /** A token lasts; a new one for each request would measure the signatures of the bench. */
  const open: OpenClient = (address, tenant, person) => {
    const token = issuer.token({ org: tenant, sub: person, exp: Math.floor(Date.now() / 1000) + 3_600 });
    return new TeamClient(address, () => token).open();
  };

  return {
    team,
    balancer,
    open,
    async stop() {
      await balancer.close();
      for (const { child } of team) child.kill('SIGKILL');
      await issuer.lab.server.close();
    },
  };
}

export async function kill({ child }: TeamServer): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
