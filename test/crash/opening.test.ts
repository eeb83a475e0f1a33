// Processes that open a fresh database at the same moment: one makes its tables, and all can use them.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';

const processes = 6;

interface Opener {
  child: ChildProcessWithoutNullStreams;
  lines: Interface;
  problem: () => string;
}

async function startOpener(locations: readonly string[]): Promise<Opener> {
  const program = await bundle('test/crash/opener.ts', { format: 'esm', packages: 'external' });
  const child = spawn(process.execPath, [program, ...locations]);
  let problem = '';
  child.stderr.on('data', (part) => {
    problem += part;
  });
  return { child, lines: createInterface({ input: child.stdout }), problem: () => problem };
}

/** All open the same database, then the next: the starting shot falls when all are ready. */
async function openTogether(locations: readonly string[]): Promise<void> {
  const openers = await Promise.all(Array.from({ length: processes }, () => startOpener(locations)));
  const ended = openers.map(({ child }) => once(child, 'close'));
  for (const location of locations) {
    const ready = openers.map(({ lines }, at) => Promise.race([once(lines, 'line'), ended[at]]));
    await Promise.all(ready);
    for (const { child, problem } of openers) {
      expect(child.exitCode, `${location}: ${problem()}`).toBeNull();
      child.stdin.write('go\n');
    }
  }
  for (const [at, closing] of ended.entries()) expect((await closing)[0], openers[at]?.problem()).toBe(0);
}

describe('a new database opened by many processes at once', () => {
  it('is created once on SQLite', async () => {
    await openTogether(Array.from({ length: 10 }, () => join(createFolder('fresh'), 'below', 'lore.db')));
  });

  it.skipIf(!hasPostgres)('is created once on PostgreSQL', async () => {
    const locations: string[] = [];
    for (let n = 0; n < 4; n++) locations.push(await createDatabase());
    await openTogether(locations);
  });
});
