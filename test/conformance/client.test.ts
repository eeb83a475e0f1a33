// The client scenarios of the official suite, with the gateway as the client: `client/main.ts` mounts the suite's servers. There is no list
// of expected failures; what may be skipped is said below, with its reason.
import { expect, it } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { type Check, runClientSuite } from '../support/suite.ts';

/** The scenarios of logins need no exact times. The rest, and other revisions, are run by `npm run test:all` alone. */
const runs = [
  '--suite auth',
  ...(process.env.LORE_TEST_ENGINES === 'all'
    ? ['--suite all', '--suite all --spec-version 2026-07-28', '--suite all --spec-version 2025-11-25']
    : []),
];

const mayBeSkipped: [id: RegExp, reason: string][] = [
  [/^sep-2575-client-declares-/, 'the client declares what its caller can answer, here nothing while it connects'],
  [/^sep-2243-client-includes-standard-headers$/, 'the server of the scenario offers no resources and prompts'],
  [/^sep-2106-client-/, 'the suite skips it for earlier revisions'],
  [/^sep-2640-host-/, 'skills of a mounted server are not listed'],
];

it.for(runs)('conformance-2026 client %s', async (options) => {
  const program = await bundle('test/conformance/client/main.ts', { format: 'esm', packages: 'external' });
  const command = `${process.execPath} ${program}`;
  const { announced, scenarios, exitCode, output } = await runClientSuite(
    'conformance-2026',
    command,
    options.split(' '),
  );
  const problems = scenarios.flatMap(({ name, checks }) =>
    checks.filter(isProblem).map(({ id, status, errorMessage }) => `${name}: ${status} ${id}: ${errorMessage}`),
  );
  expect(problems, output).toEqual([]);
  expect(scenarios.length, output).toBe(announced);
  expect(exitCode, output).toBe(0);
});

function isProblem({ id, status }: Check): boolean {
  if (status === 'SKIPPED') return !mayBeSkipped.some(([pattern]) => pattern.test(id));
  return status === 'FAILURE' || status === 'WARNING';
}
