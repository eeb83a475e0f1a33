// The edges of index_repository, over each database: odd folders, odd options and how they are stored, definitions that come later,
// and two trees of one project.
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countNodes } from '../../src/graph/census.ts';
import { findTree } from '../../src/graph/derived/tree.ts';
import { identifyFolder, treeOf } from '../../src/graph/project/project.ts';
import { createServiceDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { commitFiles, runGit } from '../support/git-server.ts';
import { openServices, type Services } from '../support/services.ts';

const databases = createServiceDatabases();

describe.each(databases)('index_repository on $name', (database) => {
  let services: Services;
  let base: string;
  let folder: string;
  beforeEach(async () => {
    base = realpathSync(createFolder('edges'));
    folder = join(base, 'project');
    mkdirSync(folder);
    services = await openServices(database, folder, undefined, {
      roots: [join(base, 'allowed')],
      cache: join(base, 'cache'),
    });
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const writeIn = (root: string, name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const write = (name: string, text: string) => writeIn(folder, name, text);

  async function index(args: object = {}, place = folder): Promise<Record<string, unknown>> {
    const { operation_id: id } = await services.call('index_repository', args, place);
    const { operations } = services.opened;
    await expect.poll(async () => (await operations.get(id as string))?.state).toBe('done');
    return (await operations.get(id as string))?.result as Record<string, unknown>;
  }

  const find = (name: string, place = folder) => services.call('repo_symbol', { name }, place);
  const isKnown = (name: string, place = folder) =>
    find(name, place).then(
      () => true,
      () => false,
    );

  it('reports why a folder cannot be used', async () => {
    write('plain.ts', 'export const a = 1;\n');
    mkdirSync(join(base, 'elsewhere'));
    const refuse = (project_path: string) =>
      expect(services.call('index_repository', { project_path })).rejects.toMatchObject;
    const path = 'arguments.project_path';
    await refuse('/')({ word: 'forbidden', details: { path } });
    await refuse('../elsewhere')({ word: 'forbidden', details: { path } });
    await refuse(join(base, 'elsewhere', 'absent'))({ word: 'forbidden', details: { path } });
    await refuse('absent')({
      word: 'not_found',
      message: 'Cannot use folder "absent": it does not exist',
      details: { path },
    });
    await refuse('plain.ts')({
      word: 'invalid_input',
      message: 'Cannot use folder "plain.ts": it is not a folder',
      details: { path },
    });
  });

  it('reads no inside of git: a bare repository has no files', async () => {
    const bare = join(base, 'allowed', 'bare.git');
    mkdirSync(bare, { recursive: true });
    runGit(bare, 'init', '--quiet', '--bare');
    const error = { word: 'invalid_input', message: `Cannot use repository "${bare}": it is bare, so it has no files` };
    await expect(index({ project_path: bare })).rejects.toMatchObject(error);
    await expect(services.call('read_file', { repo: bare, path: 'config' })).rejects.toMatchObject(error);
    await expect(services.call('list_files', {}, bare)).rejects.toMatchObject(error);
  });

  it('indexes a folder without git, one without commits, and one without files', async () => {
    write('a.ts', 'export function plainWalrus() {}\n');
    expect(await index()).toMatchObject({ files: 1 });
    const fresh = join(base, 'allowed', 'fresh');
    writeIn(fresh, 'a.ts', 'export function freshWalrus() {}\n');
    runGit(fresh, 'init', '--quiet');
    expect(await index({ project_path: fresh })).toMatchObject({ files: 1 });
    expect(await isKnown('freshWalrus', fresh)).toBe(true);
    const empty = join(base, 'allowed', 'empty');
    mkdirSync(empty);
    runGit(empty, 'init', '--quiet');
    expect(await index({ project_path: empty })).toMatchObject({ files: 0, symbols: 0 });
    expect(await services.call('repo_map', { repo: empty })).toMatchObject({ files: 0, index: { state: 'complete' } });
  });

  it('accepts options: include, exclude, maximum size', async () => {
    write('src/a.ts', 'export function innerWalrus() {}\n');
    write('src/a.test.ts', 'export function testWalrus() {}\n');
    write('lib/b.ts', 'export function outerWalrus() {}\n');
    write('vendor/v.ts', 'export function vendorWalrus() {}\n');
    write('large.ts', `export function largeWalrus() {}\n${'// large\n'.repeat(200)}`);
    const known = async () => {
      const names = ['innerWalrus', 'testWalrus', 'outerWalrus', 'vendorWalrus', 'largeWalrus'];
      const found = await Promise.all(names.map((name) => isKnown(name)));
      return names.filter((_, at) => found[at]);
    };
    await index({ max_file_size: 1_000 });
    expect(await known()).toEqual(['innerWalrus', 'testWalrus', 'outerWalrus']);
    await index({ include: ['src/', 'vendor/'], exclude: ['*.test.ts'] });
    expect(await known()).toEqual(['innerWalrus', 'vendorWalrus']);
    // The last pattern wins, as in .gitignore.
    await index({ exclude: ['*.ts', '!lib/*.ts'] });
    expect(await known()).toEqual(['outerWalrus']);
    await index();
    expect(await known()).toEqual(['innerWalrus', 'testWalrus', 'outerWalrus', 'largeWalrus']);
    for (const wrong of [{ max_file_size: 10 }, { max_file_size: 1e9 }, { include: [''] }, { exclude: 'a' }])
      await expect(index(wrong)).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('keeps the options while it follows the files', async () => {
    write('src/a.ts', 'export function innerWalrus() {}\n');
    await index({ include: ['src/'] });
    write('lib/b.ts', 'export function outerWalrus() {}\n');
    write('top.ts', 'export function topWalrus() {}\n');
    write('src/c.ts', 'export function laterWalrus() {}\n');
    await expect.poll(() => isKnown('laterWalrus')).toBe(true);
    expect([await isKnown('outerWalrus'), await isKnown('topWalrus')]).toEqual([false, false]);
    const tree = treeOf(identifyFolder(folder).claim, folder);
    expect(await findTree(services.opened.store, tree)).toMatchObject({
      options: '{"include":["src/"]}',
      root: folder,
    });
  });

  it('links a call to a definition that is added later', async () => {
    write('src/caller.ts', "import { eatClam } from './clam.ts';\nexport function feedWalrus() { eatClam(); }\n");
    write('src/free.py', 'def feed_seal():\n    eat_mussel()\n');
    await index();
    write('src/clam.ts', 'export function eatClam() {}\n');
    write('src/mussel.py', 'def eat_mussel():\n    pass\n');
    await index();
    expect(await find('eatClam')).toMatchObject({
      callers: expect.arrayContaining([{ name: 'feedWalrus', path: 'src/caller.ts', line: 2 }]),
    });
    expect(await find('eat_mussel')).toMatchObject({
      callers: [{ name: 'feed_seal', path: 'src/free.py', line: 1 }],
    });
    // A second of the name, and it is no longer clear which is meant; without it, it is again.
    write('src/other.py', 'def eat_mussel():\n    return 1\n');
    await index();
    expect(await find('src/mussel.py#eat_mussel')).toMatchObject({ callers: [] });
    rmSync(join(folder, 'src/other.py'));
    await index();
    expect(await find('eat_mussel')).toMatchObject({ callers: [{ name: 'feed_seal' }] });
  });

  it('separates a clone from a folder with the same remote', async () => {
    const bare = join(base, 'allowed', 'zoo.git');
    commitFiles(bare, { 'a.ts': 'export function servedWalrus() {}\n' });
    runGit(base, 'clone', '--quiet', bare, folder);
    write('a.ts', 'export function localWalrus() {}\n');
    const url = `file://${bare}`;
    await index();
    await index({ url });
    expect([await isKnown('localWalrus'), await isKnown('servedWalrus')]).toEqual([true, false]);
    expect(await services.call('repo_symbol', { name: 'servedWalrus', repo: url })).toMatchObject({ path: 'a.ts' });
    expect(await services.call('repo_map', { repo: url })).toMatchObject({ files: 1 });
    // Whoever asks for it can ask how far it is.
    const { operation_id } = await services.call('index_repository', { url });
    expect(await services.call('status', { operation_id })).toMatchObject({ operations: [{ id: operation_id }] });
  });

  it('separates two trees of one project', async () => {
    write('a.ts', 'export function firstWalrus() {}\n');
    write('only.ts', 'export function onlyWalrus() {}\n');
    runGit(folder, 'init', '--quiet', '--initial-branch=main');
    runGit(folder, 'add', '.');
    runGit(folder, 'commit', '--quiet', '--message=one');
    const second = join(base, 'allowed', 'second');
    mkdirSync(dirname(second), { recursive: true });
    runGit(folder, 'worktree', 'add', '--quiet', second);
    writeIn(second, 'a.ts', '// moved down\n\nexport function secondWalrus() {}\n');
    rmSync(join(second, 'only.ts'));
    await index();
    expect(await index({}, second)).toMatchObject({ files: 1, removed: 0 });
    expect(await Promise.all(['firstWalrus', 'onlyWalrus', 'secondWalrus'].map((name) => isKnown(name)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(
      await Promise.all(['firstWalrus', 'onlyWalrus', 'secondWalrus'].map((name) => isKnown(name, second))),
    ).toEqual([false, false, true]);
    expect(await services.call('repo_map', {}, second)).toMatchObject({ files: 1 });
    expect(await services.call('query_context', { query: 'secondWalrus', kinds: ['symbol'] }, second)).toMatchObject({
      nodes: [{ kind: 'symbol' }],
    });
    // Lore is the project's, and is told in both.
    await services.call('remember', { content: 'secondWalrus() sleeps on its back' });
    expect(await find('secondWalrus', second)).toMatchObject({ memories: [{ text: expect.stringContaining('back') }] });
    const { claim } = identifyFolder(folder);
    const [tree, own] = [treeOf(claim, second), treeOf(claim, folder)];
    expect(await countNodes(services.opened, [tree], 'symbol')).toBe(1);
    runGit(folder, 'worktree', 'remove', '--force', second);
    await index();
    expect(await countNodes(services.opened, [tree], 'symbol')).toBe(0);
    expect(await countNodes(services.opened, [own], 'symbol')).toBe(2);
  });
});
