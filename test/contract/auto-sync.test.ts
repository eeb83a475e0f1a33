// Automatic syncs: only of projects that are used and have a remote, not more often than chosen, and never twice at once.
import { afterAll, expect, it } from 'vitest';
import { chooseRemote } from '../../src/graph/share/destination.ts';
import { createAutoSync } from '../../src/services/memory/auto-sync.ts';
import { syncKind } from '../../src/services/memory/sync.ts';
import { sql } from '../../src/store/sql.ts';
import { closeDevices, type Device, openTwo } from '../support/share.ts';

afterAll(closeDevices);

const listQueued = ({ scope: { opened, project } }: Device) => opened.operations.unfinished([project.id], syncKind);

it('a project is synced once in each interval, while somebody works in it', async () => {
  const { ann, bob, remote } = await openTwo();
  const auto = createAutoSync(() => 10);
  auto.note(ann.scope);
  await auto.check();
  expect(await listQueued(ann), 'no remote is chosen').toEqual([]);
  for (const { scope } of [ann, bob]) await chooseRemote(scope, 'team', remote);
  await auto.check();
  await auto.check();
  expect(await listQueued(ann)).toHaveLength(1);
  expect(await listQueued(bob), 'nobody works there').toEqual([]);
  // Another server of the same database.
  const other = createAutoSync(() => 10);
  other.note(ann.scope);
  await other.check();
  expect(await listQueued(ann)).toHaveLength(1);
  const { store } = ann.scope.opened;
  await store.run(sql`update operation set state = 'done' where kind = ${syncKind}`);
  await store.run(sql`update shared_remote set synced_at = ${Date.now()} where project = ${ann.scope.project.id}`);
  await createCheck(ann, 10);
  expect(await listQueued(ann), 'it was synced just now').toEqual([]);
  await store.run(
    sql`update shared_remote set synced_at = ${Date.now() - 660_000} where project = ${ann.scope.project.id}`,
  );
  await createCheck(ann, 0);
  expect(await listQueued(ann), 'it is off').toEqual([]);
  await createCheck(ann, 10);
  expect(await listQueued(ann)).toHaveLength(1);
});

function createCheck({ scope }: Device, minutes: number): Promise<void> {
  const auto = createAutoSync(() => minutes);
  auto.note(scope);
  return auto.check();
}
