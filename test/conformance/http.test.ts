// Every scenario of both official suites, in every way they can be asked to run, against the production server. There is
// no list of expected failures; what may be skipped is said below, with its reason.
import { it } from 'vitest';
import { startHttpServer } from '../support/start-server.ts';
import { type Check, runSuite, type Scenario, type Suite } from '../support/suite.ts';

type Run = [suite: Suite, options: string];

/** The same scenarios again, so `npm run test:all` alone runs them. */
const byRequirement: Run[] = [
  ['conformance-2026', '--requirements 2026-07-28'],
  ['conformance-2026', '--requirements 2025-11-25'],
];

/** The longest first, so that the last to end began early. */
const runs: Run[] = [
  ['conformance-2026', '--suite all'],
  ['conformance-2026', '--suite all --spec-version 2026-07-28'],
  ['conformance-2026', '--suite all --spec-version 2025-11-25'],
  ['conformance-2026', '--suite all --spec-version 2025-06-18'],
  ['conformance-2025', '--suite all'],
  ...(process.env.LORE_TEST_ENGINES === 'all' ? byRequirement : []),
];

const mayBeSkipped: [id: RegExp, reason: string][] = [
  [/^tasks-status-notifications$/, 'the suite always skips it: it has no code for it yet'],
];

it.concurrent.for(runs)('%s %s', async ([suite, options], { expect, onTestFinished }) => {
  // The scenarios of a run change the fixture's lists, so no two runs share a server.
  const server = await startHttpServer('test/conformance/fixture/main.ts', { FIXTURE_SKILLS: '1' });
  onTestFinished(async () => void (await server.stop()));
  const { announced, scenarios, exitCode, output } = await runSuite(suite, server.url, options.split(' '));
  expect(scenarios.flatMap(findProblems), output).toEqual([]);
  expect(scenarios.length, output).toBe(announced);
  expect(exitCode, output).toBe(0);
  expect(server.log()).not.toContain('"level":"error"');
});

function findProblems({ name, checks }: Scenario): string[] {
  if (checks.length === 0) return [`${name}: nothing was checked`];
  return checks.filter(isProblem).map(({ id, status, errorMessage }) => `${name}: ${status} ${id}: ${errorMessage}`);
}

function isProblem({ id, status }: Check): boolean {
  if (status === 'SKIPPED') return !mayBeSkipped.some(([pattern]) => pattern.test(id));
  return status === 'FAILURE' || status === 'WARNING';
}
