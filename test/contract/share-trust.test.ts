// Whose memories count: signatures of a team, and the key of a user's own machines. Whoever can push can put anything in the remote.
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openGuardKeys, setGuardKey, writeKey } from '../../src/graph/share/guard/keys.ts';
import { createFolder } from '../support/folder.ts';
import { createDevice, createRemote, type Device, git } from '../support/share.ts';
import {
  addFile,
  closeOpened,
  createKey,
  hasKeygen,
  lineOf,
  listFiles,
  listSigners,
  openDevice,
  openTeam,
  recall,
  rewrite,
  shareText,
  teamLog,
} from '../support/trust.ts';

afterAll(closeOpened);

describe.skipIf(!hasKeygen)('a team that lists its signers (skipped without ssh-keygen)', () => {
  it('recalls what they signed, under their names, and nothing of strangers', async () => {
    const { remote, ann, bob, eve, lines } = await openTeam();
    listSigners([ann, bob], lines);
    const plain = await openDevice('Plain', remote);
    const id = await shareText(ann, 'The walrus sleeps.');
    // They have not fetched the list, so nothing stops them here.
    await shareText(eve, 'The seal eats everything.');
    await shareText(plain, 'The otter swims.');
    const synced = await bob.sync();
    expect(synced.problems.map(({ problem }) => problem).sort()).toEqual([
      'it is not signed, as .lore/allowed_signers demands',
      expect.stringMatching(/^the key SHA256:\S+ that signed it is not in \.lore\/allowed_signers$/),
    ]);
    expect((await bob.get(id))?.source).toBe('team (signed): ann@example.org');
    expect(await recall(bob, 'What do the walrus, the seal and the otter do?')).toEqual(['The walrus sleeps.']);
    expect((await bob.sync()).problems).toEqual([]);
  });

  it('follows the list: who is added counts from then on, who is removed no longer, and own edits stay', async () => {
    const { keys, ann, bob, eve, lines } = await openTeam();
    listSigners([ann, bob], lines);
    const kept = await shareText(eve, 'The seal eats herring.');
    const lost = await shareText(eve, 'The seal sings.');
    expect(await bob.sync()).toMatchObject({ stored: 0 });
    listSigners([bob, eve], [...lines, lineOf('eve@example.org', keys.eve)]);
    expect(await bob.sync()).toMatchObject({ stored: 2, problems: [] });
    await bob.call('memory_edit', { id: kept, text: 'The seal eats cod.', hash: (await bob.get(kept))?.hash });
    await bob.sync();
    listSigners([bob], lines);
    expect(await bob.sync()).toMatchObject({ removed: 1 });
    expect(await bob.get(lost)).toBeUndefined();
    expect(await bob.get(kept)).toMatchObject({ text: 'The seal eats cod.', level: 'private' });
    listSigners([bob], [...lines, lineOf('eve@example.org', keys.eve)]);
    expect(await bob.sync()).toMatchObject({ stored: 1 });
    expect((await bob.get(lost))?.text).toBe('The seal sings.');
    expect(await bob.get(kept)).toMatchObject({ text: 'The seal eats cod.', level: 'team' });
  });

  it('keeps what a member signed before leaving', async () => {
    const { keys, ann, bob, eve, lines } = await openTeam();
    const [early, late] = [Date.parse('2026-01-10'), Date.parse('2026-03-10')];
    const leaving = lineOf('eve@example.org', keys.eve, 'valid-before="20260201" ');
    const id = await eve.remember('The seal sings.');
    const other = await eve.remember('The seal left.');
    const { store } = eve.scope.opened;
    const { sql } = await import('../../src/store/sql.ts');
    await store.run(sql`update node set updated_at = ${early} where id = ${id}`);
    await store.run(sql`update node set updated_at = ${late} where id = ${other}`);
    for (const one of [id, other]) await eve.share(one);
    await eve.sync();
    listSigners([ann, bob], [...lines, leaving]);
    expect(await bob.sync()).toMatchObject({ stored: 1, received: 1 });
    expect(await bob.get(id)).toBeDefined();
    expect(await bob.get(other)).toBeUndefined();
  });

  it('signs what was shared before there was a key, and then proves who it was', async () => {
    const { remote, keys, bob, lines } = await openTeam();
    const services = await openDevice('Ann', remote);
    const id = await shareText(services, 'The walrus sleeps.');
    const second = await shareText(services, 'The walrus wakes.');
    await bob.sync();
    expect((await bob.get(id))?.source).toBe('team: Ann');
    const { folder } = services;
    const ann = await createDevice('Ann', remote, { services: services.services, folder, signingKey: keys.ann });
    expect(await ann.sync()).toMatchObject({ sent: 2, pending: 0 });
    expect(listFiles(remote, teamLog)).toHaveLength(1);
    listSigners([ann, bob], lines);
    expect(await bob.sync()).toMatchObject({ stored: 0, removed: 0, problems: [] });
    expect((await bob.get(id))?.source).toBe('team (signed): ann@example.org');
    expect((await bob.get(second))?.source).toBe('team (signed): ann@example.org');
  });

  it('waits with what cannot be signed, and says why', async () => {
    const { remote, keys, ann, bob, lines } = await openTeam();
    listSigners([ann, bob], lines);
    const plain = await openDevice('Plain', remote);
    git(plain.folder, 'fetch', '-q', 'origin');
    const id = await plain.remember('The otter swims.');
    await plain.share(id);
    expect(await plain.sync()).toMatchObject({ pending: 1, problem: expect.stringContaining('no signing_key is set') });
    const options = { services: plain.services, folder: plain.folder };
    const unlisted = await createDevice('Plain', remote, { ...options, signingKey: keys.eve });
    expect((await unlisted.sync()).problem).toMatch(/your key SHA256:\S+ is not in \.lore\/allowed_signers/);
    const missing = await createDevice('Plain', remote, { ...options, signingKey: join(plain.folder, 'none') });
    expect((await missing.sync()).problem).toContain('there is no public key');
    const secret = createKey('swordfish');
    const silent = await createDevice('Plain', remote, { ...options, signingKey: secret });
    listSigners([plain], [...lines, lineOf('plain@example.org', secret)]);
    expect(await silent.sync()).toMatchObject({
      pending: 1,
      problem: `Cannot sign with "${secret}": ssh-keygen refused`,
      hint: expect.stringContaining('ssh-add'),
    });
    expect(git(remote, 'for-each-ref', teamLog)).toBe('');
  });

  it('stays signed when somebody else takes one memory back', async () => {
    const { remote, ann, bob, lines } = await openTeam();
    listSigners([ann, bob], lines);
    const [stays, goes] = [await ann.remember('The walrus sleeps.'), await ann.remember('The password is swordfish.')];
    for (const id of [stays, goes]) await ann.share(id);
    await ann.sync();
    await bob.sync();
    await bob.call('memory_purge', { ids: [goes] });
    await bob.services.opened.worker.idle();
    expect(await bob.sync()).toMatchObject({ rewritten: true });
    git(remote, 'gc', '-q', '--prune=now');
    expect(git(remote, 'cat-file', '--batch-all-objects', '--batch')).not.toContain('swordfish');
    const cy = await openDevice('Cy', remote);
    git(cy.folder, 'fetch', '-q', 'origin');
    expect(await cy.sync()).toMatchObject({ stored: 1, problems: [] });
    expect((await cy.get(stays))?.source).toBe('team (signed): ann@example.org');
    await ann.sync();
    expect(await ann.get(goes)).toMatchObject({ level: 'private' });
  });

  it('is not fooled by copies, changed files and other names', async () => {
    const { remote, ann, bob, lines } = await openTeam();
    const id = await shareText(ann, 'The walrus sleeps.');
    listSigners([ann, bob], lines);
    await bob.sync();
    rewrite(remote, teamLog, (files) => {
      const [[path, text] = ['', '']] = files;
      const [head = '', op = '', signature = ''] = text.split('\n');
      addFile(files, path, `${head}\n${op}\n`);
      addFile(files, path, `${head}\n${op.replace('sleeps', 'bites')}\n${signature}\n`);
      addFile(files, path, `${head}\n${op}\n${op.replace(/"n_\w+"/, '"n_other"')}\n${signature}\n`);
      const device = path.split('/')[1] as string;
      addFile(files, path.replace(device, 'd_evil'), text.replace(device, 'd_evil'));
    });
    const fresh = await openDevice('Cy', remote);
    git(fresh.folder, 'fetch', '-q', 'origin');
    for (const device of [bob, fresh]) {
      const { problems } = await device.sync();
      expect(problems).toHaveLength(4);
      expect(await recall(device, 'What does the walrus do?')).toEqual(['The walrus sleeps.']);
    }
    // Everything is judged anew, and copies that prove nothing take nothing away.
    listSigners([bob], [...lines, '# changed']);
    expect(await bob.sync()).toMatchObject({ removed: 0 });
    expect((await bob.get(id))?.text).toBe('The walrus sleeps.');
  });
});

describe('the machines of one user', () => {
  async function openMachines() {
    const [remote, origin] = [createRemote(), 'https://example.org/shop.git'];
    const machine = async (name: string) => {
      const home = createFolder('home');
      const device = await openDevice(name, remote, { home });
      git(device.folder, 'remote', 'set-url', 'origin', origin);
      const same = await createDevice(name, remote, { home, folder: device.folder, services: device.services });
      return { home, device: same };
    };
    return { remote, laptop: await machine('Ann'), desktop: await machine('Ann') };
  }

  const currentKey = async (home: string) => writeKey((await openGuardKeys(home)).keys[0] as Buffer);

  async function shareMine(device: Device, text: string): Promise<string> {
    const id = await device.remember(text);
    await device.share(id, 'mine');
    return id;
  }

  it('exchange what nobody else can read, once they have the same key', async () => {
    const { remote, laptop, desktop } = await openMachines();
    const id = await shareMine(laptop.device, 'The walrus sleeps.');
    expect(await laptop.device.sync('mine')).toMatchObject({ sent: 1 });
    const objects = git(remote, 'cat-file', '--batch-all-objects', '--batch');
    for (const word of ['walrus', id, 'Ann', 'semantic']) expect(objects).not.toContain(word);
    await shareMine(desktop.device, 'The otter swims.');
    const locked = await desktop.device.sync('mine');
    expect(locked).toMatchObject({ sent: 0, pending: 1, stored: 0 });
    expect(locked.hint).toContain('lore sync key --set');
    await setGuardKey(desktop.home, await currentKey(laptop.home));
    expect(await desktop.device.sync('mine')).toMatchObject({ sent: 1, stored: 1, problems: [], pending: 0 });
    expect(await laptop.device.sync('mine')).toMatchObject({ stored: 1 });
    expect(await laptop.device.export('mine')).toBe(await desktop.device.export('mine'));
    await desktop.device.call('memory_purge', { ids: [id] });
    await desktop.device.services.opened.worker.idle();
    expect(await desktop.device.sync('mine')).toMatchObject({ rewritten: true });
    expect(await laptop.device.sync('mine')).toMatchObject({ pending: 0 });
    expect(await laptop.device.get(id)).toMatchObject({ level: 'private' });
  });

  it('take nothing from files that are plain, changed, or of another project', async () => {
    const { remote, laptop, desktop } = await openMachines();
    await shareMine(laptop.device, 'The walrus sleeps.');
    await laptop.device.sync('mine');
    await setGuardKey(desktop.home, await currentKey(laptop.home));
    const [ref = ''] = git(remote, 'for-each-ref', '--format=%(refname)').split('\n');
    const header = JSON.stringify({ by: 'Ann', dev: 'd_evil', level: 'mine', v: 1 });
    const put = JSON.stringify({ op: 'put', id: 'n_evil', at: '0mwksud9d0000', set: { text: 'The seal bites.' } });
    rewrite(remote, ref, (files) => {
      const [[path, text] = ['', '']] = files;
      addFile(files, 'log/d_evil/2026-01/0mwksud9d0000-0000000000000000.ndjson', `${header}\n${put}\n`);
      addFile(
        files,
        path,
        text.replace(/(?<=\n)./, (one) => (one === 'A' ? 'B' : 'A')),
      );
      addFile(files, path.replace(/d_\w+/, 'd_other'), text);
    });
    const synced = await desktop.device.sync('mine');
    expect(synced).toMatchObject({ stored: 1 });
    expect(synced.problems.map(({ problem }) => problem).sort()).toEqual([
      'it is not encrypted',
      'it was changed after it was encrypted',
      'it was changed after it was encrypted',
    ]);
    expect(await desktop.device.get('n_evil')).toBeUndefined();
  });

  it('can change the key: each sends its files anew, and reads the old ones meanwhile', async () => {
    const { remote, laptop, desktop } = await openMachines();
    await shareMine(laptop.device, 'The walrus sleeps.');
    await laptop.device.sync('mine');
    const first = await currentKey(laptop.home);
    await setGuardKey(desktop.home, first);
    await shareMine(desktop.device, 'The otter swims.');
    await desktop.device.sync('mine');
    await setGuardKey(laptop.home, writeKey(Buffer.alloc(32, 7)));
    expect(await laptop.device.sync('mine')).toMatchObject({ sent: 1, stored: 1, problems: [] });
    expect((await desktop.device.sync('mine')).problem).toBeUndefined();
    await setGuardKey(desktop.home, writeKey(Buffer.alloc(32, 7)));
    expect(await desktop.device.sync('mine')).toMatchObject({ sent: 1, problems: [] });
    const [ref = ''] = git(remote, 'for-each-ref', '--format=%(refname)').split('\n');
    const marks = listFiles(remote, ref).map((path) => git(remote, 'show', `${ref}:${path}`).split('\n')[0]);
    expect(marks).toHaveLength(2);
    expect(new Set(marks).size).toBe(1);
    await expect(setGuardKey(laptop.home, 'lore-key-short')).rejects.toMatchObject({ word: 'invalid_input' });
  });
});
