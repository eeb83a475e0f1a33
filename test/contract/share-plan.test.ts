// What a sync costs does not depend on how much the database has: every query of it finds its rows by an index.
import { afterAll, expect, it, vi } from 'vitest';
import type { Node } from '../../src/graph/node.ts';
import { ShareRemote } from '../../src/graph/share/remote.ts';
import { unshareMemory } from '../../src/graph/share/share.ts';
import { Sql } from '../../src/store/sql.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { closeDevices, createDevice, git, openTwo } from '../support/share.ts';

afterAll(closeDevices);

/** The distinct statements that are run meanwhile. */
async function record(store: Store, work: () => Promise<unknown>): Promise<Map<string, Sql>> {
  const queries = new Map<string, Sql>();
  const note = (query: Sql) => {
    queries.set(
      query.text(() => '?'),
      query,
    );
    return query;
  };
  const { all, one, run, tx } = store;
  const watch = (target: Transaction): Transaction => ({
    ...target,
    all: (query) => target.all(note(query)),
    one: (query) => target.one(note(query)),
    run: (query) => target.run(note(query)),
  });
  const spies = [
    vi.spyOn(store, 'all').mockImplementation((query) => all(note(query))),
    vi.spyOn(store, 'one').mockImplementation((query) => one(note(query))),
    vi.spyOn(store, 'run').mockImplementation((query, options) => run(note(query), options)),
    vi.spyOn(store, 'tx').mockImplementation((inner, options) => tx((target) => inner(watch(target)), options)),
  ];
  await work();
  for (const spy of spies) spy.mockRestore();
  return queries;
}

it('a sync reads no table and no log as a whole', async () => {
  const { ann, bob } = await openTwo();
  const { store } = bob.scope.opened;
  const share = async (text: string, more = {}) => {
    const id = await bob.remember(text, more);
    await bob.share(id);
    return id;
  };
  await bob.sync();
  const queries = await record(store, async () => {
    const first = await share('Deploys go out on Tuesdays.');
    const other = await share('The port is 8080.');
    await bob.sync();
    await ann.sync();
    await ann.call('memory_edit', { id: first, text: 'Deploys go out daily.', hash: (await ann.get(first))?.hash });
    await ann.share(await ann.remember('The walrus sleeps.'));
    await ann.call('context_link', { from: first, kind: 'uses', to: other });
    await ann.sync();
    await bob.sync();
    await share('The port is 9090.', { supersedes: [other] });
    await bob.sync();
    await bob.sync();
  });
  const whole: string[] = [];
  for (const [text, query] of queries) {
    if (!/^\s*(?:select|update|delete)/.test(text)) continue;
    const plan = await store.all<{ detail: string }>(
      new Sql([`explain query plan ${query.parts[0]}`, ...query.parts.slice(1)], query.values),
    );
    for (const { detail } of plan) {
      const isWhole = /^SCAN (?:node|edge|change|shared_op)\b/.test(detail);
      const isLog = /^SEARCH (?:node|shared_op) USING INDEX .*\(project=\?(?: AND level=\?)?\)$/.test(detail);
      if (isWhole || isLog) whole.push(`${text}: ${detail}`);
    }
  }
  expect(queries.size).toBeGreaterThan(20);
  expect(whole).toEqual([]);
});

it('a sync looks again only at what may have changed, however the clock was set', async () => {
  let now = Date.UTC(2027, 0, 1);
  const { remote } = await openTwo();
  const device = await createDevice('Cid', remote, { now: () => now });
  const [id, other] = [await device.remember('The port is 1.'), await device.remember('The walrus sleeps.')];
  for (const one of [id, other]) await device.share(one);
  now += 1_000;
  expect(await device.sync()).toMatchObject({ sent: 2 });
  const queries = await record(device.scope.opened.store, () => device.sync());
  expect([...queries.keys()].filter((text) => text.startsWith('update node'))).toEqual([]);
  now -= 300_000;
  await device.call('memory_edit', { id, text: 'The port is 2.', hash: (await device.get(id))?.hash });
  now += 400_000;
  expect(await device.sync()).toMatchObject({ sent: 1 });
  await device.services.close();
});

it('small files are imported together', async () => {
  const { ann, bob } = await openTwo();
  const count = 8;
  for (let at = 0; at < count; at++) {
    await ann.share(await ann.remember(`The walrus sleeps ${at} hours.`));
    await ann.sync();
  }
  const begun = vi.spyOn(bob.scope.opened.store, 'tx');
  expect(await bob.sync()).toMatchObject({ received: count, stored: count });
  expect(begun.mock.calls.length).toBeLessThan(count);
  begun.mockRestore();
});

it('files are listed only if the remote has changed, or lost some', async () => {
  const { ann, bob, remote } = await openTwo();
  const listed = vi.spyOn(ShareRemote.prototype, 'list');
  const id = await ann.remember('The walrus is called Wanda.');
  await ann.share(id);
  await ann.sync();
  expect(await bob.sync()).toMatchObject({ stored: 1 });
  listed.mockClear();
  for (const device of [ann, bob]) await device.sync();
  expect(listed).not.toHaveBeenCalled();
  // What is not there any more is sent again.
  git(remote, 'update-ref', '-d', 'refs/lore/team/log');
  expect(await ann.sync()).toMatchObject({ sent: 1 });
  await bob.sync();
  // A rewrite needs all files, though none is new.
  await unshareMemory(ann.scope, (await ann.get(id)) as Node);
  expect(await ann.sync()).toMatchObject({ rewritten: true });
  expect(await bob.sync()).toMatchObject({ removed: 1 });
  listed.mockRestore();
});
