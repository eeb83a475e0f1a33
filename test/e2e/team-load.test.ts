// The bench of a team's servers with few clients: what it counts must hold for any number of them.
import { expect, it } from 'vitest';
import { runTeam } from '../../bench/team/run.ts';
import { root } from '../support/bundle.ts';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';

it.skipIf(!hasPostgres)(
  'a team loses nothing, and its tenants see nothing of each other, when a server is killed',
  async () => {
    const admin = await createDatabase();
    const numbers = { servers: 3, tenants: 2, writers: 3, writes: 4, queries: 100, probes: 2 };
    const counted = await runTeam({ ...numbers, root, folder: createFolder('team'), admin });
    expect(counted).toMatchObject({ acknowledged: 36, lost: 0, foreignRows: 0, foreignResults: 0 });
    expect(counted.ownRows).toBeGreaterThan(0);
    for (const { seenElsewhereMs } of [counted.quiet, counted.full, counted.half])
      expect(seenElsewhereMs.count).toBeGreaterThanOrEqual(4);
    expect(counted.killed.mostAttemptsOfARequest).toBeLessThanOrEqual(2);
  },
);
