// What somebody who can push, or a member of the team, can do to the others: nothing that stays.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readBatch } from '../../src/graph/share/batch.ts';
import { findSigningKey, fingerprint } from '../../src/graph/share/guard/ssh-signature.ts';
import { openSharing } from '../../src/graph/share/share.ts';
import { listLog } from '../../src/graph/share/status.ts';
import { createDevice, git } from '../support/share.ts';
import {
  closeOpened,
  createKey,
  deviceIdOf,
  hasKeygen,
  lineOf,
  listFiles,
  listSigners,
  openDevice,
  openTeam,
  plant,
  recall,
  rewrite,
  shareText,
  teamLog,
} from '../support/trust.ts';

afterAll(closeOpened);

const put = (id: string, text: string) => ({ op: 'put' as const, id, set: { text } });
const printOf = (file: string) => fingerprint(readFileSync(`${file}.pub`, 'utf8').split(' ')[1] as string);

/** The keys that signed files with this word. */
function signersOf(remote: string, word: string): string[] {
  return listFiles(remote, teamLog).flatMap((path) => {
    const text = git(remote, 'show', `${teamLog}:${path}`);
    if (!text.includes(word)) return [];
    const { signed } = readBatch(path, 'team', text);
    const key = signed && findSigningKey(signed.message, signed.signature);
    return key === undefined ? 'nobody' : fingerprint(key);
  });
}

/** A team with Eve in it, and all have fetched the list. */
async function openWithEve() {
  const team = await openTeam();
  listSigners([team.ann, team.bob, team.eve], [...team.lines, team.eveLine]);
  return team;
}

describe.skipIf(!hasKeygen)('a member of the team (skipped without ssh-keygen)', () => {
  it('cannot speak for the device of another', async () => {
    const { remote, keys, ann, bob } = await openWithEve();
    await shareText(ann, 'The walrus sleeps.');
    await plant(remote, { dev: await deviceIdOf(ann), key: keys.eve }, [put('n_evil', 'The seal bites.')]);
    for (let round = 0; round < 2; round++) expect(await ann.sync()).toMatchObject({ sent: 0, pending: 0 });
    expect(signersOf(remote, 'n_evil')).toEqual([printOf(keys.eve)]);
    for (const device of [ann, bob]) {
      await device.sync();
      expect((await device.get('n_evil'))?.source).toBe('team (signed): eve@example.org');
    }
    const sharing = await openSharing(bob.scope, 'team', 'Bob');
    const logged = await listLog(bob.scope.opened, sharing, 10);
    expect(logged.find(({ id }) => id === 'n_evil')?.by).toBe('eve@example.org');
  });

  it('cannot put words into the mouth of another', async () => {
    const { ann, bob, eve } = await openWithEve();
    const id = await shareText(ann, 'The walrus sleeps.');
    await bob.sync();
    await eve.sync();
    await eve.call('memory_edit', { id, text: 'The walrus bites.', hash: (await eve.get(id))?.hash });
    await eve.sync();
    await bob.sync();
    expect(await bob.get(id)).toMatchObject({ text: 'The walrus bites.', source: 'team (signed): eve@example.org' });
  });

  it('who is removed from the list leaves nothing behind, not even by removing the files first', async () => {
    const { remote, ann, bob, eve, lines } = await openWithEve();
    const id = await shareText(eve, 'The seal bites.');
    await ann.sync();
    await bob.sync();
    rewrite(remote, teamLog, (files) => files.clear());
    // It was there, as if a member had signed it with the key of another device.
    await plant(remote, { dev: await deviceIdOf(ann) }, [put(id, 'The seal bites.')]);
    listSigners([ann, bob], lines);
    for (const device of [ann, bob]) {
      expect(await device.sync()).toMatchObject({ removed: 1 });
      expect(await device.get(id)).toBeUndefined();
    }
  });

  it('who is removed from the list no longer hides or replaces what others wrote', async () => {
    const { remote, keys, ann, bob, eve, lines } = await openWithEve();
    const [replaced, hidden] = [await shareText(ann, 'The walrus sleeps.'), await shareText(ann, 'The otter swims.')];
    await bob.sync();
    await plant(remote, { dev: await deviceIdOf(eve), key: keys.eve }, [
      put('n_evil', 'The walrus bites.'),
      { op: 'supersede', id: replaced, with: 'n_evil', since: Date.now() },
      { op: 'forget', id: hidden },
    ]);
    await bob.sync();
    expect(await recall(bob, 'What do the walrus and the otter do?')).toEqual(['The walrus bites.']);
    listSigners([bob], lines);
    expect(await bob.sync()).toMatchObject({ removed: 1, changed: 2, sent: 0 });
    expect(await bob.get(replaced)).toMatchObject({ supersededBy: undefined, validTo: undefined });
    expect(await bob.get(hidden)).toMatchObject({ forgottenAt: undefined });
  });

  it('who is removed from the list no longer closes a circle of memories that supersede each other', async () => {
    const { remote, keys, ann, bob, eve, lines } = await openWithEve();
    const first = await shareText(ann, 'The walrus sleeps.');
    const next = await ann.remember('The walrus wakes.', { supersedes: [first] });
    await ann.share(next);
    await ann.sync();
    await plant(remote, { dev: await deviceIdOf(eve), key: keys.eve }, [
      { op: 'supersede', id: next, with: first, since: Date.now() },
    ]);
    await bob.sync();
    expect(await bob.get(next)).toMatchObject({ supersededBy: first });
    listSigners([bob], lines);
    expect(await bob.sync()).toMatchObject({ sent: 0 });
    expect(await bob.get(first)).toMatchObject({ supersededBy: next });
    expect(await bob.get(next)).toMatchObject({ supersededBy: undefined, validTo: undefined });
    expect(await bob.sync()).toMatchObject({ sent: 0 });
  });

  it('who is removed from the list no longer takes anything back', async () => {
    const { remote, keys, ann, eve, lines } = await openWithEve();
    const id = await shareText(ann, 'The walrus sleeps.');
    const reader = await openDevice('Cy', remote);
    git(reader.folder, 'fetch', '-q', 'origin');
    await reader.sync();
    await plant(remote, { dev: await deviceIdOf(eve), key: keys.eve }, [{ op: 'retract', id }]);
    expect(await reader.sync()).toMatchObject({ removed: 1 });
    listSigners([reader], lines);
    expect(await reader.sync()).toMatchObject({ stored: 1 });
    expect((await reader.get(id))?.source).toContain('ann@example.org');
    expect(await reader.sync()).toMatchObject({ rewritten: false, problems: [] });
  });
});

describe.skipIf(!hasKeygen)('somebody who can push (skipped without ssh-keygen)', () => {
  it('cannot have a device sign what it did not write', async () => {
    const { remote, ann, bob, lines } = await openTeam();
    await shareText(ann, 'The walrus sleeps.');
    const by = 'Ann (signed), signed';
    await plant(remote, { dev: await deviceIdOf(ann), by }, [put('n_evil', 'The seal bites.')]);
    await ann.sync();
    expect((await ann.get('n_evil'))?.source).toBe(`team: ${by}`);
    expect(signersOf(remote, 'n_evil')).toEqual(['nobody']);
    listSigners([ann, bob], lines);
    for (const device of [ann, bob]) {
      await device.sync();
      expect(await device.get('n_evil')).toBeUndefined();
    }
  });

  it('takes nothing away by removing signatures, however the list changes then', async () => {
    const { remote, ann, bob, lines } = await openTeam();
    listSigners([ann, bob], lines);
    const id = await shareText(ann, 'The walrus sleeps.');
    await bob.sync();
    rewrite(remote, teamLog, (files) => {
      for (const [path, text] of files) files.set(path, text.replace(/\{"sig.*\n/, ''));
    });
    listSigners([ann, bob], [...lines, '# changed']);
    expect(await bob.sync()).toMatchObject({ removed: 0 });
    expect((await bob.get(id))?.source).toContain('ann@example.org');
    expect(await ann.sync()).toMatchObject({ sent: 1 });
    expect((await bob.sync()).problems).toEqual([]);
  });

  it('cannot change a file without its device sending it again', async () => {
    const { remote, ann, bob } = await openTeam();
    const id = await shareText(ann, 'The walrus sleeps.');
    rewrite(remote, teamLog, (files) => {
      for (const [path, text] of files) files.set(path, text.replace(/\{"at.*\n/, ''));
    });
    expect((await bob.sync()).problems).toMatchObject([{ problem: 'it was changed after it was sent' }]);
    expect(await ann.sync()).toMatchObject({ sent: 1 });
    expect(await ann.sync()).toMatchObject({ sent: 0 });
    await bob.sync();
    expect((await bob.get(id))?.text).toBe('The walrus sleeps.');
  });

  it('cannot put commands into what a device writes', async () => {
    const { remote, ann } = await openTeam();
    await shareText(ann, 'The walrus sleeps.');
    const path = `log/${await deviceIdOf(ann)}/a\nM 100644 inline log/evil\ndata 3\nabc\nD x`;
    rewrite(remote, teamLog, (files) => files.set(path, 'x'));
    await shareText(ann, 'The otter swims.');
    expect(listFiles(remote, teamLog)).not.toContain('log/evil');
  });
});

it.skipIf(!hasKeygen)('a clone without its default branch does not make strangers count', async () => {
  const { ann, bob, eve, lines } = await openTeam();
  listSigners([ann, bob], lines);
  await bob.sync();
  await shareText(eve, 'The seal bites.');
  for (const ref of ['main', 'HEAD']) git(bob.folder, 'update-ref', '-d', `refs/remotes/origin/${ref}`);
  const lost = await bob.sync();
  expect(lost.problem).toContain('no default branch');
  expect(lost).toMatchObject({ stored: 0 });
  git(bob.folder, 'fetch', '-q', 'origin');
  const found = await bob.sync();
  expect(found.problem).toBeUndefined();
  expect(found).toMatchObject({ stored: 0 });
});

it.skipIf(!hasKeygen)('a key that was replaced counts for its time, and the next one from then on', async () => {
  const { remote, keys, ann, bob, lines } = await openTeam();
  const id = await shareText(ann, 'The walrus sleeps.');
  const next = createKey();
  const { services, folder } = ann;
  const later = await createDevice('Ann', remote, { services, folder, signingKey: next });
  const newer = lineOf('ann@example.org', next, 'valid-after="20990101" ');
  listSigners([ann, bob], [...lines, newer]);
  expect(await later.sync()).toMatchObject({ sent: 0 });
  expect(signersOf(remote, id)).toEqual([printOf(keys.ann)]);
  const other = await later.remember('The walrus wakes.');
  await later.share(other);
  expect((await later.sync()).problem).toContain('is not valid today');
  listSigners([ann, bob], [...lines, newer.replace('2099', '2000')]);
  expect(await later.sync()).toMatchObject({ sent: 1, pending: 0 });
  expect(await bob.sync()).toMatchObject({ stored: 2, problems: [] });
});
