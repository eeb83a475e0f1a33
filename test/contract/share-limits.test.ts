// What never leaves, what hostile batches can do, and what is left after something was taken back.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { hashHex } from '../../src/core/crypto.ts';
import type { Node } from '../../src/graph/node.ts';
import { tick } from '../../src/graph/share/clock.ts';
import { ShareRemote } from '../../src/graph/share/remote.ts';
import { openSharing, previewShare, unshareMemory } from '../../src/graph/share/share.ts';
import { createFolder } from '../support/folder.ts';
import { closeDevices, createDevice, createRemote, type Device, git, openTwo } from '../support/share.ts';
import { addFile, closeOpened, openDevice, rewrite, teamLog } from '../support/trust.ts';

afterAll(closeDevices);
afterAll(closeOpened);

const read = (remote: string) => git(remote, 'cat-file', '--batch-all-objects', '--batch');

describe('sharing', () => {
  it.each([
    ['a preference of a person', 'I prefer tabs.', { kind: 'preference' }, 'a preference of a person'],
    ['a home folder', 'The config is in /home/ann/shop/config.yaml.', {}, 'a path in a home folder'],
    ['a home folder on Windows', String.raw`It is in C:\Users\Ann\shop.`, {}, 'a path in a home folder'],
    ['what is about the user', 'No emojis in commits.', { user: true }, 'about the user'],
  ])('refuses %s', async (_, text, more, reason) => {
    const { ann } = await openTwo();
    const id = await ann.remember(text, more);
    await expect(ann.share(id)).rejects.toMatchObject({
      word: 'invalid_input',
      message: expect.stringContaining(reason),
    });
    expect((await ann.get(id))?.level).toBe('private');
  });

  it('refuses other entries, and the folder of the clone', async () => {
    const { ann } = await openTwo();
    const { id } = await ann.call('checkpoint_save', { content: 'Goal: webhooks.', name: 'w' });
    await expect(ann.share(String(id))).rejects.toMatchObject({ message: expect.stringContaining('only memories') });
    const inside = await ann.remember(`Start it in ${ann.folder}/bin.`);
    await expect(ann.share(inside)).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('needs the consent of the user', async () => {
    const { ann } = await openTwo();
    const id = await ann.remember('The walrus sleeps.');
    const caller = { ...localCaller, folder: ann.folder };
    const ask = (share: boolean) => {
      const asker = {
        can: () => true,
        ask: async () => ({ answer: { action: 'accept', content: { share } } }) as never,
      };
      return ann.services.registry.call('memory_share', { id }, createPlainCall(caller, undefined, asker));
    };
    await expect(ann.services.call('memory_share', { id }, ann.folder)).rejects.toMatchObject({ word: 'forbidden' });
    await expect(ask(false)).rejects.toMatchObject({ word: 'forbidden' });
    expect((await ann.get(id))?.level).toBe('private');
    await ask(true);
    expect((await ann.get(id))?.level).toBe('team');
  });

  it('sends exactly the bytes of its preview', async () => {
    const { ann, remote } = await openTwo();
    const id = await ann.remember('The walrus sleeps.', { tags: ['zoo'] });
    const preview = await previewShare(
      ann.scope,
      (await ann.get(id)) as Node,
      await openSharing(ann.scope, 'team', 'Ann'),
    );
    expect((await ann.get(id))?.level).toBe('private');
    await ann.share(id);
    await ann.sync();
    const [path = ''] = git(remote, 'ls-tree', '-r', '--name-only', 'refs/lore/team/log').split('\n');
    expect(git(remote, 'show', `refs/lore/team/log:${path}`)).toBe(preview);
  });

  it('holds back an edit that must not leave, reports it, and goes on with everything else', async () => {
    const { ann, bob, remote } = await openTwo();
    const id = await ann.remember('The port is 1.');
    await ann.share(id);
    await ann.sync();
    await bob.sync();
    const edit = async (device: Device, text: string) =>
      device.call('memory_edit', { id, text, hash: (await device.get(id))?.hash });
    await edit(bob, 'The port is in /home/bob/port.');
    await edit(ann, 'The port is 2.');
    await ann.sync();
    const other = await bob.remember('The seal eats herring.');
    await bob.share(other);
    expect(await bob.sync()).toMatchObject({ sent: 1, received: 1, blocked: [{ id, reason: expect.any(String) }] });
    expect((await bob.get(id))?.text).toBe('The port is in /home/bob/port.');
    expect(read(remote)).not.toContain('/home/bob');
    await edit(bob, 'The port is 3.');
    for (const device of [bob, ann]) expect(await device.sync()).toMatchObject({ blocked: [] });
    expect((await ann.get(id))?.text).toBe('The port is 3.');
  });
});

describe('a memory that was taken back', () => {
  it('stays private where it was written, and is nowhere else, not even in history', async () => {
    const { ann, bob, remote } = await openTwo();
    const text = 'The walrus is called Wanda.';
    const [id, other] = [await ann.remember(text), await ann.remember('The seal eats herring.')];
    for (const one of [id, other]) await ann.share(one);
    await ann.sync();
    await bob.sync();
    await bob.call('memory_edit', { id: other, text: 'The seal eats squid.', hash: (await bob.get(other))?.hash });
    // Not sent yet when the history is rewritten.
    await unshareMemory(ann.scope, (await ann.get(id)) as Node);
    expect(await ann.sync()).toMatchObject({ rewritten: true, pending: 0 });
    expect(await bob.sync()).toMatchObject({ removed: 1, rewritten: false, pending: 0 });
    await ann.sync();
    expect(await ann.get(id)).toMatchObject({ level: 'private', text });
    expect(await bob.get(id)).toBeUndefined();
    expect(await bob.call('recall', { query: 'What is the walrus called?' })).toMatchObject({ memories: [] });
    expect(await bob.export()).toBe(await ann.export());
    expect(await ann.export()).toContain('squid');
    git(remote, 'gc', '-q', '--prune=now');
    expect(read(remote)).not.toContain('Wanda');
    expect(read(remote)).toContain('herring');
    // It can be shared again, and then it is a new one.
    await ann.share(id);
    for (const device of [ann, bob]) await device.sync();
    expect((await bob.get(id))?.text).toBe(text);
  });

  it('does not come back with an edit of somebody who did not know', async () => {
    const { ann, bob, remote } = await openTwo();
    const id = await ann.remember('The walrus is called Wanda.');
    await ann.share(id);
    await ann.sync();
    await bob.sync();
    await bob.call('memory_edit', { id, text: 'Wanda it is.', hash: (await bob.get(id))?.hash });
    await unshareMemory(ann.scope, (await ann.get(id)) as Node);
    await ann.sync();
    await bob.sync();
    await ann.sync();
    expect(await bob.get(id)).toBeUndefined();
    git(remote, 'gc', '-q', '--prune=now');
    expect(read(remote)).not.toContain('Wanda');
  });

  it('while it was being sent is removed by the next sync', async () => {
    const { ann, remote } = await openTwo();
    const id = await ann.remember('The walrus is called Wanda.');
    await ann.share(id);
    const push = vi.spyOn(ShareRemote.prototype, 'push');
    push.mockImplementationOnce(async function (this: ShareRemote, ...args) {
      await unshareMemory(ann.scope, (await ann.get(id)) as Node);
      return this.push(...args);
    });
    await ann.sync();
    push.mockRestore();
    expect(read(remote)).toContain('Wanda');
    expect(await ann.sync()).toMatchObject({ rewritten: true, pending: 0 });
    git(remote, 'gc', '-q', '--prune=now');
    expect(read(remote)).not.toContain('Wanda');
    expect(await ann.get(id)).toMatchObject({ level: 'private', text: 'The walrus is called Wanda.' });
  });

  it('no longer supersedes: the earlier one is recalled again', async () => {
    const { ann, bob } = await openTwo();
    const id = await ann.remember('The walrus sleeps.');
    await ann.share(id);
    await ann.sync();
    await bob.sync();
    const next = await bob.remember('The walrus dances.', { supersedes: [id] });
    await bob.share(next);
    await bob.sync();
    await ann.sync();
    expect(await ann.get(id)).toMatchObject({ supersededBy: next });
    await unshareMemory(bob.scope, (await bob.get(next)) as Node);
    await bob.sync();
    expect(await ann.sync()).toMatchObject({ removed: 1, changed: 1, sent: 0 });
    expect(await ann.get(id)).toMatchObject({ supersededBy: undefined, validTo: undefined });
    expect(await ann.call('recall', { query: 'What does the walrus do?' })).toMatchObject({ memories: [{ id }] });
  });

  it('is removed from every file that has it', async () => {
    const { ann, bob, remote } = await openTwo();
    const id = await ann.remember('The walrus is called Wanda.');
    await ann.share(id);
    await ann.sync();
    rewrite(remote, teamLog, (files) => {
      for (const [path, text] of [...files]) addFile(files, path, `${text}\n`);
    });
    await bob.sync();
    await unshareMemory(ann.scope, (await ann.get(id)) as Node);
    expect(await ann.sync()).toMatchObject({ rewritten: true });
    git(remote, 'gc', '-q', '--prune=now');
    expect(read(remote)).not.toContain('Wanda');
    expect(await bob.sync()).toMatchObject({ rewritten: false });
  });

  it('is not left in the repositories that Lorekeeper keeps', async () => {
    const remote = createRemote();
    const homes = [createFolder('home'), createFolder('home')] as const;
    const [ann, bob] = [
      await openDevice('Ann', remote, { home: homes[0] }),
      await openDevice('Bob', remote, { home: homes[1] }),
    ];
    const id = await ann.remember('The walrus is called Wanda.');
    await ann.share(id);
    await ann.sync();
    await bob.sync();
    await unshareMemory(ann.scope, (await ann.get(id)) as Node);
    for (const device of [ann, bob]) await device.sync();
    for (const home of homes) {
      const [repository = ''] = readdirSync(home).filter((name) => name.endsWith('.git'));
      expect(read(join(home, repository))).toContain('blob');
      expect(read(join(home, repository))).not.toContain('Wanda');
    }
  });

  it('is purged by whoever purges it', async () => {
    const { ann, bob, remote } = await openTwo();
    const id = await ann.remember('The walrus is called Wanda.');
    await ann.share(id);
    await ann.sync();
    await bob.sync();
    await bob.call('memory_purge', { ids: [id] });
    await bob.services.opened.worker.idle();
    expect(await bob.sync()).toMatchObject({ rewritten: true });
    await ann.sync();
    expect(await ann.get(id)).toMatchObject({ level: 'private' });
    git(remote, 'gc', '-q', '--prune=now');
    expect(read(remote)).not.toContain('Wanda');
  });
});

describe('a hostile batch', () => {
  const dev = 'd_evil';
  const header = { by: 'Eve', dev, level: 'team', v: 1 };
  const at = tick(Date.UTC(2027, 0, 1), []);
  async function plant(remote: string, lines: readonly unknown[], path?: string): Promise<void> {
    const text = `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`;
    const place = new ShareRemote({
      folder: createFolder('evil'),
      url: remote,
      ref: 'refs/lore/team/log',
      format: 'sha1',
    });
    await place.open();
    const tip = await place.pull();
    const name = path ?? `log/${dev}/2027-01/${at}-${hashHex(text).slice(0, 16)}.ndjson`;
    await place.push(await place.commit(tip, [{ path: name, text }], 0), tip);
  }

  it('is skipped and reported, and the rest is read', async () => {
    const { bob, remote } = await openTwo();
    const put = (id: string, set: object) => ({ op: 'put', id, at, set: { created: 1, ...set } });
    await plant(remote, [
      header,
      put('n_good', { text: 'The seal eats herring.' }),
      'nonsense',
      put('n_bad', { text: 5 }),
    ]);
    await plant(remote, [{ ...header, v: 2 }, put('n_newer', { text: 'x' })]);
    await plant(remote, [{ ...header, dev: 'd_other' }, put('n_forged', { text: 'x' })]);
    await plant(remote, ['x'], 'log/../../evil'.replaceAll('..', 'up'));
    const synced = await bob.sync();
    expect(synced).toMatchObject({ received: 1, stored: 1 });
    expect(synced.problems.map(({ problem }) => problem).sort()).toEqual([
      '2 of its 3 operations are not valid',
      'a newer version of Lorekeeper wrote it',
      'it belongs to another device or level',
      'it is not a batch of operations',
    ]);
    expect((await bob.get('n_good'))?.source).toBe('team: Eve');
  });

  it('cannot change or take over what is private or of another project', async () => {
    const { bob, remote } = await openTwo();
    const id = await bob.remember('The clam is mine alone.');
    const other = await createDevice('Bob', remote, { services: bob.services });
    const elsewhere = await other.remember('Of another project.');
    await other.share(elsewhere);
    const ops = [id, elsewhere].flatMap((one) => [
      { op: 'put', id: one, at, set: { text: 'Taken over.' } },
      { op: 'forget', id: one, at },
    ]);
    await plant(remote, [header, ...ops]);
    await bob.sync();
    expect(await bob.get(id)).toMatchObject({
      text: 'The clam is mine alone.',
      level: 'private',
      forgottenAt: undefined,
    });
    expect(await bob.get(elsewhere)).toMatchObject({ text: 'Of another project.', forgottenAt: undefined });
    await bob.sync();
    expect(read(remote)).not.toContain('clam');
  });

  it('does not bring a secret into the database', async () => {
    const { bob, remote } = await openTwo();
    const secret = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
    await plant(remote, [header, { op: 'put', id: 'n_leak', at, set: { text: `The token is ${secret}.` } }]);
    await bob.sync();
    expect((await bob.get('n_leak'))?.text).toContain('[redacted:');
  });
});

it('the earlier text of a shared memory can be purged everywhere, and the memory stays', async () => {
  const { ann, bob, remote } = await openTwo();
  const id = await ann.remember('The walrus is called Wanda.');
  await ann.share(id);
  await ann.sync();
  await ann.call('memory_edit', { id, text: 'The walrus has a name.', hash: (await ann.get(id))?.hash });
  await ann.sync();
  await bob.sync();
  await ann.call('memory_purge', { earlier_ids: [id] });
  await ann.services.opened.worker.idle();
  expect(await ann.sync()).toMatchObject({ rewritten: true, pending: 0 });
  await bob.sync();
  expect((await bob.get(id))?.text).toBe('The walrus has a name.');
  expect(await bob.export()).toBe(await ann.export());
  git(remote, 'gc', '-q', '--prune=now');
  expect(read(remote)).not.toContain('Wanda');
});
