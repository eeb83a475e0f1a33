// Every scenario of both official suites, in every way they can be asked to run, against the production server, and against
// three of them behind a balancer. There is no list of expected failures; what may be skipped is said below, with its reason.
import { it } from 'vitest';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { startHttpServer } from '../support/start-server.ts';
import { type Check, runSuite, type Scenario, type Suite } from '../support/suite.ts';
import { startTeam } from '../support/team.ts';

type Run = [suite: Suite, options: string, servers: number];

/** The same scenarios again, so `npm run test:all` alone runs them. */
const repeated: Run[] = [
  ['conformance-2026', '--requirements 2026-07-28', 1],
  ['conformance-2026', '--requirements 2025-11-25', 1],
  ['conformance-2025', '--suite all', 3],
];

/** The longest first, so that the last to end began early. */
const all: Run[] = [
  ['conformance-2026', '--suite all', 3],
  ['conformance-2026', '--suite all', 1],
  ['conformance-2026', '--suite all --spec-version 2026-07-28', 1],
  ['conformance-2026', '--suite all --spec-version 2025-11-25', 1],
  ['conformance-2026', '--suite all --spec-version 2025-06-18', 1],
  ['conformance-2025', '--suite all', 1],
  ...(process.env.LORE_TEST_ENGINES === 'all' ? repeated : []),
];

/** Several servers share a PostgreSQL database. */
const runs = all.filter(([, , servers]) => servers === 1 || hasPostgres);

const mayBeSkipped: [id: RegExp, reason: string][] = [
  [/^tasks-status-notifications$/, 'the suite always skips it: it has no code for it yet'],
];

it.concurrent.for(runs)('%s %s, servers: %i', async ([suite, options, count], { expect, onTestFinished }) => {
  // The scenarios of a run change the fixture's lists, so no two runs share a server.
  const { url, servers, stop } = await (count === 1 ? startOne() : startSeveral(count));
  onTestFinished(stop);
  const { announced, scenarios, exitCode, output } = await runSuite(suite, url, options.split(' '));
  expect(scenarios.flatMap(findProblems), output).toEqual([]);
  expect(scenarios.length, output).toBe(announced);
  expect(exitCode, output).toBe(0);
  for (const { log } of servers) expect(log()).not.toContain('"level":"error"');
});

const settings = { FIXTURE_SKILLS: '1' };

async function startOne() {
  const server = await startHttpServer('test/conformance/fixture/main.ts', settings);
  return { url: server.url, servers: [server], stop: async () => void (await server.stop()) };
}

async function startSeveral(count: number) {
  const { url, team, stop } = await startTeam(count, { LORE_DB: await createDatabase(), ...settings });
  return { url, servers: team, stop };
}

function findProblems({ name, checks }: Scenario): string[] {
  if (checks.length === 0) return [`${name}: nothing was checked`];
  return checks.filter(isProblem).map(({ id, status, errorMessage }) => `${name}: ${status} ${id}: ${errorMessage}`);
}

function isProblem({ id, status }: Check): boolean {
  if (status === 'SKIPPED') return !mayBeSkipped.some(([pattern]) => pattern.test(id));
  return status === 'FAILURE' || status === 'WARNING';
}
