// The official suites against the fixture server behind the gateway, which serves it alone: `lore serve --source`. The results are
// those of the fixture itself.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { finish, spawnLore } from '../support/lore.ts';
import { type Check, runSuite, type Suite } from '../support/suite.ts';

type Run = [suite: Suite, options: string];

/** It waits for tasks of the fixture, so `npm run test:all` alone runs it. */
const slow: Run[] = [['conformance-2026', '--suite all']];

const runs: Run[] = [
  ['conformance-2025', '--suite all'],
  ['conformance-2026', '--suite all --spec-version 2025-11-25'],
  ...(process.env.LORE_TEST_ENGINES === 'all' ? slow : []),
];

const mayBeSkipped: [id: RegExp, reason: string][] = [
  [/^tasks-status-notifications$/, 'the suite always skips it: it has no code for it yet'],
];

async function serveMounted({ expect, onTestFinished }: TestContext): Promise<string> {
  const folder = createFolder('through');
  const env = { HOME: folder, LORE_DB: join(folder, 'lore.db'), LORE_CONFIG: join(folder, 'config.json') };
  const fixture = await bundle('test/conformance/fixture/main.ts', { format: 'esm', packages: 'external' });
  const command = [
    '--env',
    'FIXTURE_SKILLS=1',
    '--folder',
    createFolder('work'),
    '--',
    process.execPath,
    fixture,
    'stdio',
  ];
  for (const args of [
    ['mount', 'fixture', ...command],
    ['allow', 'fixture', '--level', 'write'],
  ]) {
    expect(await finish(spawnLore(args, env))).toMatchObject({ code: 0 });
  }
  const child = spawnLore(['serve', '--source', 'fixture', '--port', '0', '--json'], env);
  child.stderr.resume();
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line).url;
}

it.concurrent.for(runs)('%s %s', async ([suite, options], context) => {
  const { expect } = context;
  const { announced, scenarios, output } = await runSuite(suite, await serveMounted(context), options.split(' '));
  const problems = scenarios.flatMap(({ name, checks }) =>
    checks.filter(isProblem).map(({ id, errorMessage }) => `${name} ${id}: ${errorMessage}`),
  );
  expect(problems, output).toEqual([]);
  expect(scenarios.length, output).toBe(announced);
});

function isProblem({ id, status }: Check): boolean {
  if (status === 'SKIPPED') return !mayBeSkipped.some(([pattern]) => pattern.test(id));
  return status !== 'SUCCESS' && status !== 'INFO';
}
