// Files for review in every kind of repository: which branch of which remote counts, and what git cannot read is reported.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Node } from '../../src/graph/node.ts';
import { chooseRemote } from '../../src/graph/share/destination.ts';
import { nameFile } from '../../src/services/memory/review/file.ts';
import { exportFiles, writeReview } from '../../src/services/memory/review/propose.ts';
import { importReviewed } from '../../src/services/memory/review/review.ts';
import { createFolder } from '../support/folder.ts';
import { edit, fetch, merge, push, team, write } from '../support/review.ts';
import { closeDevices, createDevice, createRemote, type Device, git, openTwo } from '../support/share.ts';

afterAll(closeDevices);

const read = (device: Device) => importReviewed(device.scope, device.name);
const nothing = { stored: 0, changed: 0, skipped: [] };

/** Another clone of Ann's. */
async function openClone(ann: Device, remote: string, ...options: string[]): Promise<Device> {
  const folder = join(createFolder('clone'), 'other');
  git(createFolder('from'), 'clone', '-q', ...options, `file://${remote}`, folder);
  return createDevice('Ann', remote, { services: ann.services, folder });
}

/** A commit of trees that git can read, but no file system would have. */
function commitTree(
  folder: string,
  entries: readonly (readonly [mode: string, name: Buffer | string, hash: string])[],
) {
  const mktree = (lines: readonly Buffer[]) =>
    execFileSync('git', ['mktree', '-z', '--missing'], { cwd: folder, input: Buffer.concat(lines) })
      .toString()
      .trim();
  const line = ([mode, name, hash]: (typeof entries)[number]) =>
    Buffer.concat([
      Buffer.from(`${mode} ${mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'} ${hash}\t`),
      Buffer.from(name),
      Buffer.from([0]),
    ]);
  const inner = mktree(entries.map(line));
  const lore = mktree([line(['040000', 'team', inner])]);
  const top = mktree([line(['040000', '.lore', lore])]);
  const commit = git(folder, 'commit-tree', '-m', 'memories', top).trim();
  git(folder, 'update-ref', 'refs/remotes/origin/main', commit);
}

function hash(folder: string, text: string): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder, input: text }).toString().trim();
}

describe('the branch that counts', () => {
  it('is that of the remote, not of a colleague and not one that is checked out', async () => {
    const { ann, bob, remote } = await openTwo();
    const fork = createRemote();
    git(ann.folder, 'remote', 'add', 'fork', fork);
    edit(ann, { 'a.md': write({ id: 'n_fork0001' }, 'From a fork.') });
    git(ann.folder, 'checkout', '-q', '-B', 'main');
    git(ann.folder, 'add', '.');
    git(ann.folder, 'commit', '-qm', 'fork');
    git(ann.folder, 'push', '-q', 'fork', 'main');
    // Bob never fetched the remote of the team, but looked at the fork.
    git(bob.folder, 'remote', 'add', 'ann', fork);
    git(bob.folder, 'fetch', '-q', 'ann');
    git(bob.folder, 'checkout', '-q', 'ann/main');
    expect(await read(bob)).toEqual(nothing);
    // Two remotes, and neither is known to be the team's.
    git(bob.folder, 'remote', 'rename', 'origin', 'company');
    git(ann.folder, 'push', '-q', 'origin', 'main');
    git(bob.folder, 'fetch', '-q', 'company');
    expect(await read(bob)).toEqual(nothing);
    await chooseRemote(bob.scope, 'team', 'company');
    expect(await read(bob)).toEqual({ stored: 1, changed: 0, skipped: [] });
    expect(remote).not.toBe(fork);
  });

  it('is the one that HEAD of the remote names, and may be rewritten', async () => {
    const { ann, bob, remote } = await openTwo();
    merge(ann, { 'a.md': write({ id: 'n_head0001' }, 'On main.') });
    edit(ann, { 'a.md': write({ id: 'n_head0001' }, 'On trunk.') });
    push(ann, 'trunk');
    git(remote, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
    fetch(bob);
    git(bob.folder, 'remote', 'set-head', 'origin', '--auto');
    expect(await read(bob)).toMatchObject({ stored: 1 });
    expect((await bob.get('n_head0001'))?.text).toBe('On trunk.');
    // HEAD names a branch that is gone.
    git(remote, 'update-ref', '-d', 'refs/heads/trunk');
    git(bob.folder, 'fetch', '-q', '--prune', 'origin');
    expect(await read(bob)).toMatchObject({ changed: 1 });
    expect((await bob.get('n_head0001'))?.text).toBe('On main.');
    git(ann.folder, 'checkout', '-q', '--orphan', 'fresh');
    edit(ann, { 'a.md': write({ id: 'n_head0001' }, 'Rewritten.') });
    push(ann, 'main');
    fetch(bob);
    expect(await read(bob)).toMatchObject({ changed: 1 });
    expect((await bob.get('n_head0001'))?.text).toBe('Rewritten.');
  });
});

describe('a clone', () => {
  it.each([
    ['shallow', ['--depth=1']],
    ['bare', ['--bare']],
    ['without a working tree', ['--no-checkout']],
  ])('that is %s is read', async (_, options) => {
    const { ann, remote } = await openTwo();
    merge(ann, { 'a.md': write({ id: `n_${options[0]?.slice(2, 7).replace('-', '')}001` }, 'The seal barks.') });
    merge(ann, { 'b.md': write({ id: `n_${options[0]?.slice(2, 7).replace('-', '')}002` }, 'The seal sleeps.') });
    const clone = await openClone(ann, remote, ...options);
    expect(await read(clone)).toEqual({ stored: 2, changed: 0, skipped: [] });
  });

  it('that is partial connects to nobody, and reports what it does not have', async () => {
    const { ann, remote } = await openTwo();
    git(remote, 'config', 'uploadpack.allowFilter', 'true');
    merge(ann, { 'a.md': write({ id: 'n_part0001' }, 'The seal barks.') });
    const clone = await openClone(ann, remote, '--filter=blob:none', '-b', 'main');
    merge(ann, { 'b.md': write({ id: 'n_part0002' }, 'The seal sleeps.'), 'c.md': write({ id: 'n_part0003' }, 'No.') });
    fetch(clone);
    const missing = 'this clone does not have its content; git pull gets it';
    for (const stored of [1, 0]) {
      expect(await read(clone)).toEqual({
        stored,
        changed: 0,
        skipped: ['b', 'c'].map((name) => ({ path: `${team}/${name}.md`, problem: missing })),
      });
    }
    git(clone.folder, 'pull', '-q');
    expect(await read(clone)).toEqual({ stored: 2, changed: 0, skipped: [] });
  });

  it('with sha256, and its worktrees, are read and written', async () => {
    const remote = createRemote('--object-format=sha256');
    const { ann: other } = await openTwo();
    const folder = join(createFolder('clone'), 'project');
    mkdirSync(folder);
    git(folder, 'init', '-q', '--object-format=sha256');
    git(folder, 'remote', 'add', 'origin', remote);
    const ann = await createDevice('Ann', remote, { services: other.services, folder });
    const id = await ann.remember('The seal barks.');
    push(ann);
    const tree = join(createFolder('tree'), 'tree');
    git(folder, 'worktree', 'add', '-q', tree, '-b', 'proposal');
    const worktree = await createDevice('Ann', remote, { services: other.services, folder: tree });
    const [path = ''] = await writeReview(worktree.scope, [(await ann.get(id)) as Node], 'Ann');
    expect(existsSync(join(tree, path))).toBe(true);
    git(tree, 'add', '.');
    git(tree, 'commit', '-qm', 'proposal');
    git(tree, 'push', '-q', 'origin', 'HEAD:main');
    expect(await read(ann)).toEqual({ stored: 0, changed: 1, skipped: [] });
    expect(await ann.get(id)).toMatchObject({ level: 'team' });
  });
});

describe('a tree', () => {
  it('with more files than the limit is read up to it, and says so', async () => {
    const { ann } = await openTwo();
    git(ann.folder, 'commit', '-q', '--allow-empty', '-m', 'first');
    const blob = hash(ann.folder, write({ id: 'n_many0001' }, 'The seal barks.'));
    const names = Array.from({ length: 2_100 }, (_, at) => `f${String(at).padStart(5, '0')}.md`);
    commitTree(
      ann.folder,
      names.map((name) => ['100644', name, blob] as const),
    );
    expect(await read(ann)).toEqual({
      stored: 1,
      changed: 0,
      skipped: [{ path: team, problem: '100 of its 2100 files are not read: 2000 is the limit' }],
    });
  });

  it('of folders that contain each other many times is reported, not read', async () => {
    const { ann } = await openTwo();
    let entry: readonly [string, string, string] = ['100644', 'x.md', hash(ann.folder, write({}, 'Text.'))];
    for (let depth = 0; depth < 8; depth++) {
      const lines = Array.from(
        { length: 20 },
        (_, at) => `${entry[0]} ${entry[0] === '040000' ? 'tree' : 'blob'} ${entry[2]}\t${at}${entry[1]}\n`,
      );
      const tree = execFileSync('git', ['mktree'], { cwd: ann.folder, input: lines.join('') })
        .toString()
        .trim();
      entry = ['040000', 'd', tree];
    }
    commitTree(ann.folder, [entry]);
    expect(await read(ann)).toEqual({
      stored: 0,
      changed: 0,
      skipped: [{ path: team, problem: 'it has too many files' }],
    });
  });

  it('with links, submodules, names in other encodings and names that differ in case is read safely', async () => {
    const { ann } = await openTwo();
    const { folder } = ann;
    const text = (number: number) =>
      hash(folder, write({ id: `n_odd0000${number}` }, `The seal barks ${number} times.`));
    commitTree(folder, [
      ['100644', 'A.md', text(1)],
      ['100644', 'a.md', text(2)],
      ['100644', Buffer.from('caf\u00e9.md', 'latin1'), text(3)],
      ['100644', 'caf\u00e9.md', text(4)],
      ['100644', 'cafe\u0301.md', text(5)],
      ['120000', 'link.md', hash(folder, '/etc/passwd')],
      ['160000', 'module.md', '1'.repeat(40)],
      ['100644', '[a]*.md', text(6)],
    ]);
    const { stored, skipped } = await read(ann);
    expect(stored).toBe(5);
    expect(skipped).toEqual([{ path: `${team}/caf\uFFFD.md`, problem: 'its name is not UTF-8' }]);
  });
});

describe('a proposal', () => {
  it('replaces the file of its memory, however that is named, and no other', async () => {
    const { ann } = await openTwo();
    const { graph } = ann.scope.opened;
    const { project } = ann.scope;
    const put = async (id: string, text: string) =>
      (
        await graph.put(
          [{ id, project: project.id, kind: 'memory', text, data: { kind: 'semantic', knowledge: 'note' } }],
          'test',
        )
      )[0] as Node;
    const [one, two] = [await put('n_one000abcdef', '\u65e5\u672c\u8a9e'), await put('n_two000abcdef', '\u4e2d\u6587')];
    expect(nameFile(one)).toBe(nameFile(two));
    expect(await writeReview(ann.scope, [one, two], 'Ann')).toEqual([
      `${team}/memory-abcdef.md`,
      `${team}/n_two000abcdef.md`,
    ]);
    git(ann.folder, 'add', '.');
    git(ann.folder, 'mv', `${team}/memory-abcdef.md`, `${team}/nihongo.md`);
    expect(await writeReview(ann.scope, [{ ...one, text: 'Changed words.' }], 'Ann')).toEqual([`${team}/nihongo.md`]);
    expect(readdirSync(join(ann.folder, team)).sort()).toEqual(['n_two000abcdef.md', 'nihongo.md']);
    const names = [];
    for await (const { name } of exportFiles(ann.scope)) names.push(name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('n_two000abcdef.md');
  });

  it('creates nothing outside the repository, and says if it may not write', async () => {
    const { ann, remote } = await openTwo();
    const node = (await ann.get(await ann.remember('The walrus sleeps.'))) as Node;
    const outside = createFolder('outside');
    symlinkSync(outside, join(ann.folder, '.lore'));
    await expect(writeReview(ann.scope, [node], 'Ann')).rejects.toMatchObject({ word: 'forbidden' });
    expect(readdirSync(outside)).toEqual([]);
    const bob = await createDevice('Ann', remote, { services: ann.services });
    const own = (await bob.get(await bob.remember('The walrus wakes.'))) as Node;
    mkdirSync(join(bob.folder, team), { recursive: true });
    writeFileSync(join(outside, 'target'), 'precious');
    symlinkSync(join(outside, 'target'), join(bob.folder, team, nameFile(own)));
    // Another name is free.
    await writeReview(bob.scope, [own], 'Ann');
    expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('precious');
    const bare = await openClone(ann, remote, '--bare');
    const other = (await bare.get(await bare.remember('The walrus swims.'))) as Node;
    await expect(writeReview(bare.scope, [other], 'Ann')).rejects.toThrow('not a working tree');
  });

  it.skipIf(process.getuid?.() === 0)('in a folder that is read-only is refused', async () => {
    const { ann } = await openTwo();
    const node = (await ann.get(await ann.remember('The walrus sleeps.'))) as Node;
    mkdirSync(join(ann.folder, '.lore'));
    chmodSync(join(ann.folder, '.lore'), 0o555);
    await expect(writeReview(ann.scope, [node], 'Ann')).rejects.toThrow('permission denied');
  });
});
