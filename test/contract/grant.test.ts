// Which folders a caller may name, for what, and over which transport. The real function over a real database.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, localCaller, personCaller } from '../../src/core/call.ts';
import { LoreError } from '../../src/core/error.ts';
import type { PermissionLevel } from '../../src/core/registry/permission.ts';
import { createGraphAccess, type GraphAccess } from '../../src/graph/access.ts';
import { createFolders, type Folders, type Need } from '../../src/graph/project/grant.ts';
import { chooseFolder } from '../../src/graph/project/named.ts';
import { identifyFolder } from '../../src/graph/project/project.ts';
import { ensureProject, openFolder } from '../../src/graph/project/scope.ts';
import { createFolder } from '../support/folder.ts';
import { runGit } from '../support/git-server.ts';

const needs: readonly Need[] = ['files', 'read', 'write'];

let base: string;
let access: GraphAccess;
let folders: Folders;
let roots: string[];
let level: PermissionLevel;
/** Names folders of `base`. */
const at = (...names: string[]) => join(base, ...names);
const client = (folder: string, more: Partial<Caller> = {}): Caller => ({ ...localCaller, folder, ...more });

beforeEach(() => {
  base = realpathSync(createFolder('grant'));
  for (const name of ['own/part', 'rooted/deep', 'rooted-not', 'known/part', 'strange', 'installed/inner']) {
    mkdirSync(at(name), { recursive: true });
  }
  runGit(at('own'), 'init', '--quiet');
  writeFileSync(at('strange', 'file.txt'), 'x');
  symlinkSync(at('strange'), at('own', 'link'));
  symlinkSync(at('rooted'), at('alias'));
  roots = [at('rooted')];
  level = 'read';
  access = createGraphAccess(at('lore.db'));
  folders = createFolders(access, { roots: () => roots, projects: () => level, own: [at('installed')] });
});
afterEach(() => access.close());

async function workIn(folder: string): Promise<void> {
  await folders.open(client(folder));
}

/** The word of the refusal, or `ok`. */
async function judge(path: string, need: Need, caller = client(at('own'))): Promise<string> {
  const outcome = await folders.admit(caller, path, need).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) return 'ok';
  return outcome instanceof LoreError ? outcome.word : String(outcome);
}

describe('a named folder', () => {
  const table: readonly [string, () => string, files: string, read: string, write: string][] = [
    ['the own folder', () => at('own'), 'ok', 'ok', 'ok'],
    ['a folder inside the own', () => at('own', 'part'), 'ok', 'ok', 'ok'],
    ['a folder in roots', () => at('rooted', 'deep'), 'ok', 'ok', 'forbidden'],
    ['a root through a link', () => at('alias', 'deep'), 'ok', 'ok', 'forbidden'],
    ['a path of many names that do not exist', () => `/${'a/'.repeat(2_000)}`, 'forbidden', 'forbidden', 'forbidden'],
    ['what does not exist in a root', () => at('rooted', 'no', 'no'), 'not_found', 'not_found', 'not_found'],
    ['a name that begins like a root', () => at('rooted-not'), 'forbidden', 'forbidden', 'forbidden'],
    ['a way out of a root', () => `${at('rooted')}/../strange`, 'forbidden', 'forbidden', 'forbidden'],
    ['a known project', () => at('known'), 'ok', 'ok', 'forbidden'],
    ['a folder inside a known project', () => at('known', 'part'), 'ok', 'ok', 'forbidden'],
    ['a stranger', () => at('strange'), 'forbidden', 'forbidden', 'forbidden'],
    ['a link to a stranger', () => at('own', 'link'), 'forbidden', 'forbidden', 'forbidden'],
    ['a file of a stranger', () => at('strange', 'file.txt'), 'forbidden', 'forbidden', 'forbidden'],
    ['nothing, outside', () => at('nothing'), 'forbidden', 'forbidden', 'forbidden'],
    ['nothing, in a root', () => at('rooted', 'nothing'), 'not_found', 'not_found', 'not_found'],
    ['the folder above', () => base, 'forbidden', 'forbidden', 'forbidden'],
    ['the installation', () => at('installed'), 'forbidden', 'forbidden', 'forbidden'],
    ['a folder of the installation', () => at('installed', 'inner'), 'forbidden', 'forbidden', 'forbidden'],
    ['the whole machine', () => parse(base).root, 'forbidden', 'forbidden', 'forbidden'],
    ['the home folder', () => homedir(), 'forbidden', 'forbidden', 'forbidden'],
    ["the account's home folder", () => userInfo().homedir, 'forbidden', 'forbidden', 'forbidden'],
    ['the folder above the home folder', () => dirname(homedir()), 'forbidden', 'forbidden', 'forbidden'],
    ['the temporary folder', () => tmpdir(), 'forbidden', 'ok', 'ok'],
    ['nothing at all', () => '', 'invalid_input', 'invalid_input', 'invalid_input'],
    ['a NUL', () => `${at('own')}\0`, 'invalid_input', 'invalid_input', 'invalid_input'],
    ['~', () => '~/own', 'invalid_input', 'invalid_input', 'invalid_input'],
    ['a relative path', () => './own', 'invalid_input', 'invalid_input', 'invalid_input'],
    ['an encoded path', () => '%2Ftmp', 'invalid_input', 'invalid_input', 'invalid_input'],
  ];
  it.each(table)('%s', async (_, path, ...expected) => {
    await workIn(at('known'));
    await workIn(at('own'));
    expect(await Promise.all(needs.map((need) => judge(path(), need)))).toEqual(expected);
  });

  it('is not recorded when it is refused, and creates no database', async () => {
    expect(await judge(at('strange'), 'read')).toBe('forbidden');
    expect(await judge(at('strange'), 'read')).toBe('forbidden');
    const { existsSync } = await import('node:fs');
    expect(existsSync(at('lore.db'))).toBe(false);
  });

  it('is refused with the command that grants it', async () => {
    await expect(folders.admit(client(at('own')), at('strange'), 'read')).rejects.toMatchObject({
      hint: `A person can grant it: lore allow --root ${at('strange')}`,
    });
    await expect(folders.admit(client(at('own')), `${at('strange')}/it's`, 'read')).rejects.toMatchObject({
      hint: expect.stringContaining(`'${at('strange')}/it'\\''s'`),
    });
  });

  it('in roots is granted only while it is listed, even if it was named', async () => {
    level = 'write';
    await folders.enter(client(at('own')), at('rooted'), 'write');
    roots = [];
    expect(await judge(at('rooted'), 'read')).toBe('forbidden');
    roots = [at('strange')];
    expect(await judge(at('strange'), 'files')).toBe('ok');
  });

  it('is not granted by a root that is the file system, a home folder or above it', async () => {
    roots = [parse(base).root, homedir(), dirname(homedir()), '~'];
    expect(await judge(at('strange'), 'files')).toBe('forbidden');
    expect(await judge(join(homedir(), 'x'), 'files')).toBe('forbidden');
  });

  it('of another machine is not known here', async () => {
    const opened = await access.open();
    const opening = { actor: 'a', others: 'read', granting: true } as const;
    await openFolder({ ...opened, machine: 'there' }, identifyFolder(at('strange')), opening);
    expect(await judge(at('strange'), 'read')).toBe('forbidden');
  });

  it('is every worktree of a known project', async () => {
    runGit(at('known'), 'init', '--quiet');
    runGit(at('known'), '-c', 'user.name=a', '-c', 'user.email=a@a', 'commit', '-q', '--allow-empty', '-m', 'one');
    runGit(at('known'), 'worktree', 'add', '--quiet', at('tree'));
    expect(await judge(at('tree'), 'files')).toBe('forbidden');
    await workIn(at('known'));
    expect(await judge(at('tree'), 'files')).toBe('ok');
    await workIn(at('own'));
    expect(await judge(at('tree'), 'write', client(at('known')))).toBe('ok');
  });

  it('shows only itself if the top of its repository is not granted', async () => {
    runGit(base, 'init', '--quiet');
    const admitted = await folders.admit(client(at('own')), at('rooted', 'deep'), 'files');
    expect(admitted.root).toBe(at('rooted', 'deep'));
    expect(await folders.list(admitted.caller)).toMatchObject({ tops: [at('rooted')] });
    roots = [at('rooted', 'deep')];
    expect(await folders.list(admitted.caller)).toMatchObject({ tops: [at('rooted', 'deep')] });
    expect((await folders.open(admitted.caller)).project.root).toBe(at('rooted', 'deep'));
    expect((await folders.enter(client(at('own')), at('rooted', 'deep'), 'files')).project.root).toBe(
      at('rooted', 'deep'),
    );
  });

  it('of a person at a terminal is granted, unless it cannot be a project', async () => {
    const person = { ...personCaller, folder: at('own') };
    expect(await judge(at('strange'), 'write', person)).toBe('ok');
    expect(await judge(homedir(), 'write', person)).toBe('forbidden');
  });
});

describe('the permission "projects"', () => {
  it.each<[PermissionLevel, string, string, string]>([
    ['off', 'forbidden', 'forbidden', 'forbidden'],
    ['read', 'ok', 'ok', 'forbidden'],
    ['write', 'ok', 'ok', 'ok'],
  ])('%s', async (given, ...expected) => {
    await workIn(at('known'));
    level = given;
    expect(await Promise.all(needs.map((need) => judge(at('known'), need)))).toEqual(expected);
    expect(await Promise.all(needs.map((need) => judge(at('own'), need)))).toEqual(['ok', 'ok', 'ok']);
    await ensureProject(await folders.open(client(at('known'))));
    const visits = ['known', at('known')].map(async (named) =>
      folders.visit(client(at('own')), named, 'write').then(
        ({ folder }) => folder,
        ({ word }: LoreError) => word,
      ),
    );
    expect(await Promise.all(visits)).toEqual(
      given === 'write' ? [at('known'), at('known')] : ['forbidden', 'forbidden'],
    );
    if (given === 'write') return;
    const needed = given === 'off' ? 'read' : 'write';
    await expect(folders.admit(client(at('own')), at('known'), needed)).rejects.toMatchObject({
      hint: `A person can allow it: lore allow projects --level ${needed}`,
    });
  });
});

describe('a project that a person names', () => {
  it('is found by folder, name and id', async () => {
    await expect(chooseFolder(access, 'known')).rejects.toMatchObject({ word: 'not_found' });
    expect(access.exists()).toBe(false);
    const scope = await folders.open(client(at('known')));
    await ensureProject(scope);
    for (const named of ['known', scope.project.id, at('known'), `${at('rooted')}/../known`]) {
      expect(await chooseFolder(access, named)).toBe(at('known'));
    }
    expect(await chooseFolder(access, at('own', 'link'))).toBe(at('strange'));
    rmSync(at('known'), { recursive: true });
    await expect(chooseFolder(access, 'known')).rejects.toThrow('none of its folders is on this machine');
  });

  it('cannot be the file system, a home folder, a file or nothing', async () => {
    for (const named of [
      '/',
      '~',
      homedir(),
      dirname(homedir()),
      `${homedir()}/x/..`,
      at('strange', 'file.txt'),
      './no',
    ]) {
      await expect(chooseFolder(access, named), named).rejects.toBeInstanceOf(LoreError);
    }
  });
});

describe("a client's own roots", () => {
  const offer = (...given: string[]) => ({ roots: async () => given });

  it('are granted only if the client started the server', async () => {
    const started = client(at('own'), { started: true, ...offer(at('strange'), homedir()) });
    expect(await judge(at('strange'), 'files', started)).toBe('ok');
    expect(await judge(at('strange'), 'write', started)).toBe('ok');
    expect(await judge(homedir(), 'read', started)).toBe('forbidden');
    expect(await judge(join(homedir(), 'x'), 'read', started)).toBe('forbidden');
    expect(await judge(at('strange'), 'files', client(at('own'), offer(at('strange'))))).toBe('forbidden');
  });

  it('are where a client without a project works: in the first that is granted', async () => {
    const top = parse(base).root;
    const rootOf = async (more: Partial<Caller>) => (await folders.open(client(top, more))).project.root;
    expect(await rootOf({ started: true, ...offer(at('known'), top) })).toBe(at('known'));
    expect(await rootOf({ started: true, ...offer(homedir(), at('known'), at('strange')) })).toBe(at('known'));
    expect(await rootOf(offer(at('strange')))).toBe('');
    expect(await rootOf(offer(at('strange'), at('rooted')))).toBe(at('rooted'));
    await expect(folders.locate(client(top, offer(at('strange'))))).rejects.toMatchObject({
      word: 'forbidden',
      hint: expect.stringContaining(`lore allow --root ${at('strange')}`),
    });
    await expect(folders.locate(client(top))).rejects.toMatchObject({
      hint: expect.stringMatching(/--project FOLDER or LORE_PROJECT=FOLDER, or let the client offer it as a root/),
    });
  });

  it('are not requested if they do not matter', async () => {
    const roots = () => Promise.reject(new Error('asked'));
    await folders.open(client(at('own'), { started: true, roots }));
    expect(await judge(at('own', 'part'), 'write', client(at('own'), { started: true, roots }))).toBe('ok');
    expect(await judge(at('rooted'), 'read', client(at('own'), { roots }))).toBe('ok');
  });
});

describe('a caller in a folder that is not a project', () => {
  const home = homedir();
  const account = process.env.HOME;
  beforeEach(() => {
    process.env.HOME = at('strange');
  });
  afterEach(() => {
    process.env.HOME = account;
  });
  afterAll(() => expect(homedir()).toBe(home));

  it("uses the user's own memories, and reads no files", async () => {
    for (const folder of [parse(base).root, at('strange'), base, at('installed', 'inner')]) {
      const scope = await folders.open(client(folder));
      expect(scope).toMatchObject({ project: { id: scope.opened.user, root: '' } });
      await expect(folders.locate(client(folder))).rejects.toMatchObject({ word: 'forbidden' });
    }
    roots = [];
    await expect(folders.list(client(at('strange')))).rejects.toMatchObject({ word: 'forbidden' });
  });

  it('still finds memories from when it was one', async () => {
    const opened = await access.open();
    const opening = { actor: 'a', others: 'read', granting: true } as const;
    const former = await openFolder(opened, identifyFolder(at('strange')), opening);
    const scope = await folders.open(client(parse(base).root));
    expect(scope.projects).toEqual([opened.user, former.project.id]);
    expect(scope.withUser).toEqual([opened.user, former.project.id]);
  });

  it('still finds memories from before folders were recorded', async () => {
    const opened = await access.open();
    const id = identifyFolder(at('strange')).claim;
    const node = { project: id, kind: 'project', title: 'strange', text: '', data: { root: at('strange') } };
    await opened.graph.put([node], 'test');
    expect((await folders.open(client(at('strange')))).projects).toEqual([opened.user, id]);
  });

  it('is not part of the repositories below it, which still read memories stored there', async () => {
    const opened = await access.open();
    mkdirSync(at('strange', 'notes'));
    runGit(at('strange'), 'init', '--quiet');
    const opening = { actor: 'a', others: 'read', granting: true } as const;
    const former = await openFolder(opened, identifyFolder(at('strange')), opening);
    const notes = identifyFolder(at('strange', 'notes'));
    expect(notes).toMatchObject({ root: at('strange', 'notes'), home: at('strange', 'notes'), isGit: false });
    const scope = await folders.open(client(at('strange', 'notes')));
    expect(scope.projects).toEqual([scope.project.id, former.project.id]);
    expect(scope.project.id).not.toBe(former.project.id);
  });
});
