// Sharing memories through a git remote, with real databases and a real git.
import { afterAll, describe, expect, it } from 'vitest';
import { createServerDatabase } from '../support/databases.ts';
import { closeDevices, createDevice, createRemote, type Device, git, openTwo } from '../support/share.ts';

afterAll(closeDevices);

describe('a shared memory', () => {
  it('reaches the other device with its author, and nothing else does', async () => {
    const { ann, bob, remote } = await openTwo();
    const id = await ann.remember('The walrus sleeps on the ice.', {
      tags: ['zoo'],
      importance: 0.9,
      source: 'the warden',
    });
    const secret = await ann.remember('The clam is mine alone.');
    await ann.share(id);
    expect(await ann.sync()).toMatchObject({ sent: 1, received: 0, pending: 0, blocked: [], problems: [] });
    expect(await bob.sync()).toMatchObject({ sent: 0, received: 1, stored: 1 });
    expect(await bob.call('recall', { query: 'Where does the walrus sleep?' })).toMatchObject({
      memories: [{ id, text: 'The walrus sleeps on the ice.', tags: ['zoo'], source: 'team: Ann' }],
    });
    expect(await bob.get(secret)).toBeUndefined();
    expect(await bob.export()).toBe(await ann.export());
    const objects = git(remote, 'cat-file', '--batch-all-objects', '--batch');
    expect(objects).toContain('walrus');
    expect(objects).not.toMatch(/clam|warden/);
    expect(objects).not.toContain(secret);
    // Nothing more to do.
    for (const device of [ann, bob]) expect(await device.sync()).toMatchObject({ sent: 0, received: 0 });
  });

  it('follows edits, forgetting, restoring, superseding and links, both ways', async () => {
    const { ann, bob } = await openTwo();
    const [id, other] = [await ann.remember('Deploys go out on Tuesdays.'), await ann.remember('The port is 8080.')];
    for (const one of [id, other]) await ann.share(one);
    await ann.sync();
    await bob.sync();
    const both = async () => {
      for (const device of [ann, bob, ann, bob]) await device.sync();
      expect(await bob.export()).toBe(await ann.export());
    };
    const edit = async (device: Device, text: string) =>
      device.call('memory_edit', { id, text, hash: (await device.get(id))?.hash });
    await edit(bob, 'Deploys go out on Mondays.');
    await both();
    expect(await ann.get(id)).toMatchObject({ text: 'Deploys go out on Mondays.' });
    expect(await ann.call('recall', { query: 'When do deploys go out?' })).toMatchObject({ memories: [{ id }] });
    await ann.call('forget', { id });
    await both();
    expect((await bob.get(id))?.forgottenAt).toBeDefined();
    await bob.call('forget', { id, undo: true });
    await both();
    expect((await ann.get(id))?.forgottenAt).toBeUndefined();
    await ann.call('context_link', { from: id, kind: 'uses', to: other });
    await both();
    expect(await bob.export()).toContain('"kind":"uses"');
    const next = await bob.remember('Deploys go out on Fridays.', { supersedes: [id] });
    await both();
    // Its successor is private, so others do not hear of it.
    expect((await ann.get(id))?.supersededBy).toBeUndefined();
    await bob.share(next);
    await both();
    expect(await ann.get(id)).toMatchObject({ supersededBy: next });
    expect(await ann.call('recall', { query: 'When do deploys go out?' })).toMatchObject({ memories: [{ id: next }] });
  });

  it('keeps both texts of a concurrent edit until somebody edits it again', async () => {
    const { ann, bob } = await openTwo();
    const id = await ann.remember('The port is 1.');
    await ann.share(id);
    await ann.sync();
    await bob.sync();
    const edit = async (device: Device, text: string) =>
      device.call('memory_edit', { id, text, hash: (await device.get(id))?.hash });
    await edit(ann, 'The port is 2.');
    await edit(bob, 'The port is 3.');
    for (const device of [ann, bob, ann]) await device.sync();
    expect(await bob.export()).toBe(await ann.export());
    expect((await ann.get(id))?.text).toBe('The port is 3.');
    for (const device of [ann, bob]) {
      expect((await device.get(id))?.data.rivals).toEqual([{ text: 'The port is 2.', by: 'Ann' }]);
    }
    await edit(bob, 'The port is 4.');
    for (const device of [bob, ann]) await device.sync();
    for (const device of [ann, bob]) {
      expect(await device.get(id)).toMatchObject({ text: 'The port is 4.' });
      expect((await device.get(id))?.data.rivals).toBeUndefined();
    }
  });
});

it('a database of a team shares with a file, both ways', async () => {
  const remote = createRemote();
  const database = createServerDatabase();
  const ann = await createDevice('Ann', remote, { database });
  const { bob: base } = await openTwo();
  const bob = await createDevice('Bob', remote, { services: base.services });
  const [id, other] = [await ann.remember('The walrus sleeps.'), await ann.remember('The seal eats.')];
  for (const one of [id, other]) await ann.share(one);
  await ann.sync();
  await bob.sync();
  await bob.call('memory_edit', { id, text: 'The walrus wakes.', hash: (await bob.get(id))?.hash });
  await bob.share(await bob.remember('The seal sleeps.', { supersedes: [other] }));
  for (const device of [bob, ann]) expect(await device.sync()).toMatchObject({ pending: 0, problems: [] });
  expect(await ann.export()).toBe(await bob.export());
  expect((await ann.get(id))?.text).toBe('The walrus wakes.');
  await ann.call('memory_purge', { ids: [id] });
  await ann.services.opened.worker.idle();
  for (const device of [ann, bob]) await device.sync();
  expect(await bob.get(id)).toBeUndefined();
  expect(await ann.export()).toBe(await bob.export());
  await ann.services.close();
  await database.stop?.();
});
