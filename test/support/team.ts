// Servers with one database behind a round-robin balancer, with the fixture of the conformance suites. Services that read the
// machine are disabled, as for a team.
import { findPort, startBalancer } from './balancer.ts';
import { startHttpServer } from './start-server.ts';

export async function startTeam(servers: number, settings: Record<string, string>) {
  const ports = await Promise.all(Array.from({ length: servers }, findPort));
  const team = await Promise.all(
    ports.map((port) =>
      startHttpServer('test/conformance/fixture/main.ts', {
        LORE_PORT: String(port),
        LORE_PEER_URL: `http://127.0.0.1:${port}`,
        LORE_DISABLED_SERVICES: 'system,repo,forge,gateway',
        ...settings,
      }),
    ),
  );
  const balancer = await startBalancer(team.map(({ url }) => url));
  return {
    team,
    balancer,
    url: balancer.url,
    async stop() {
      await balancer.close();
      for (const { child } of team) child.kill('SIGKILL');
    },
  };
}
