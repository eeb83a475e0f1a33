// Memories as files in the repository: proposed in a branch, shared when merged, edited by hand.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Node } from '../../src/graph/node.ts';
import { readFile, writeFile } from '../../src/services/memory/review/file.ts';
import { writeReview } from '../../src/services/memory/review/propose.ts';
import { importReviewed } from '../../src/services/memory/review/review.ts';
import { createFolder } from '../support/folder.ts';
import { fetch, push } from '../support/review.ts';
import { closeDevices, git, openTwo } from '../support/share.ts';

afterAll(closeDevices);

describe('a file for review', () => {
  it('is shared when it is merged, with the commit as its source, and its edits are edits', async () => {
    const { ann, bob, remote } = await openTwo();
    const id = await ann.remember('Deploys go out on Tuesdays.', { tags: ['ops'] });
    const [path = ''] = await writeReview(ann.scope, [(await ann.get(id)) as Node], 'Ann');
    expect(path).toBe(`.lore/team/deploys-go-out-on-tuesdays-${id.slice(-6)}.md`);
    push(ann, 'proposal');
    fetch(bob);
    // Somebody else looks at the proposal: it is not theirs yet.
    git(bob.folder, 'checkout', '-q', 'proposal');
    expect(await importReviewed(bob.scope, 'Bob')).toEqual({ stored: 0, changed: 0, skipped: [] });
    push(ann, 'main');
    fetch(bob);
    expect(await importReviewed(bob.scope, 'Bob')).toEqual({ stored: 1, changed: 0, skipped: [] });
    const short = git(remote, 'log', '-1', '--format=%h', 'main', '--', path).trim();
    expect(await bob.get(id)).toMatchObject({
      level: 'team',
      text: 'Deploys go out on Tuesdays.',
      data: { tags: ['ops'] },
      source: expect.stringMatching(new RegExp(`^team: a, ${path} in ${short.slice(0, 4)}`)),
    });
    expect(await importReviewed(bob.scope, 'Bob')).toEqual({ stored: 0, changed: 0, skipped: [] });
    const file = join(ann.folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Tuesdays', 'Mondays').replace('"ops"', 'ops, release'));
    push(ann, 'main');
    for (const device of [ann, bob]) {
      fetch(device);
      expect(await importReviewed(device.scope, device.name)).toMatchObject({ changed: 1, skipped: [] });
      expect(await device.get(id)).toMatchObject({
        level: 'team',
        text: 'Deploys go out on Mondays.',
        data: { tags: ['ops', 'release'] },
      });
    }
    // Both ways lead to the same memory.
    for (const device of [ann, bob, ann]) await device.sync();
    expect(await bob.export()).toBe(await ann.export());
    expect((await ann.get(id))?.data.rivals).toBeUndefined();
  });

  it('does not undo what was changed by sync since', async () => {
    const { ann, bob } = await openTwo();
    const id = await ann.remember('The port is 1.');
    await writeReview(ann.scope, [(await ann.get(id)) as Node], 'Ann');
    push(ann, 'main');
    fetch(ann);
    await importReviewed(ann.scope, 'Ann');
    await ann.call('memory_edit', { id, text: 'The port is 2.', hash: (await ann.get(id))?.hash });
    await ann.sync();
    await bob.sync();
    fetch(bob);
    expect(await importReviewed(bob.scope, 'Bob')).toMatchObject({ changed: 0, skipped: [] });
    expect((await bob.get(id))?.text).toBe('The port is 2.');
  });

  it('that is broken is skipped and reported each time, and the others are read', async () => {
    const { ann } = await openTwo();
    const team = join(ann.folder, '.lore/team');
    mkdirSync(team, { recursive: true });
    const files: Record<string, string> = {
      'conflict.md': '---\nid: n_abcd1\n---\n<<<<<<< ours\nOne.\n=======\nTwo.\n>>>>>>> theirs\n',
      'empty.md': '---\nid: n_abcd2\n---\n\n',
      'form.md': '---\nid: prj_1\n---\nText.\n',
      'plain.md': 'Just a text.\n',
      'yaml.md': '---\nid: [n_abcd\n---\nText.\n',
      'secret.md': `---\ntags: []\n---\nIt is in /home/ann/secret.\n`,
      'whole.md': '---\nkind: semantic\n---\r\n\r\nWritten by hand.\r\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(team, name), text);
    push(ann, 'main');
    fetch(ann);
    for (const stored of [1, 0]) {
      const reviewed = await importReviewed(ann.scope, 'Ann');
      expect(reviewed.stored).toBe(stored);
      expect(reviewed.skipped.map(({ path, problem }) => `${path.slice(11)}: ${problem}`)).toEqual([
        'conflict.md: it has conflict markers',
        'empty.md: it has no text',
        'form.md: its id is not valid',
        'plain.md: it has no front matter',
        'secret.md: it contains a path in a home folder or of this clone',
        'yaml.md: its front matter is not valid YAML',
      ]);
    }
    expect(await ann.call('recall', { query: 'written by hand' })).toMatchObject({
      memories: [{ text: 'Written by hand.' }],
    });
  });

  it('is not written through a link, and not for what must not leave', async () => {
    const { ann } = await openTwo();
    const node = (await ann.get(await ann.remember('The walrus sleeps.'))) as Node;
    const own = (await ann.get(await ann.remember('It is in /home/ann/x.'))) as Node;
    await expect(writeReview(ann.scope, [own], 'Ann')).rejects.toThrow('home folder');
    const outside = createFolder('outside');
    mkdirSync(join(ann.folder, '.lore'));
    symlinkSync(outside, join(ann.folder, '.lore/team'));
    await expect(writeReview(ann.scope, [node], 'Ann')).rejects.toThrow('not a folder of the repository');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('says the same when it is read back', async () => {
    const { ann } = await openTwo();
    const text = 'Quotes " and: colons\n\n- and\n- lists --- and\n\n---\nrules.';
    const node = (await ann.get(await ann.remember(text, { tags: ['a: b', '"c"'] }))) as Node;
    expect(readFile(writeFile(node, 'Ann: "A"'))).toMatchObject({
      id: node.id,
      text: node.text,
      tags: ['a: b', '"c"'],
    });
  });
});
