// What index_repository promises, over each database: files and symbols as nodes, their ties, and an index that follows
// the files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import { complete, readResource } from '../../src/core/registry/lookup.ts';
import { countNodes } from '../../src/graph/census.ts';
import { type DerivedFile, replaceDerived } from '../../src/graph/derived/derived.ts';
import { completeNames, findNames, readIndexState } from '../../src/graph/derived/read.ts';
import { identifyFolder, treeOf } from '../../src/graph/project/project.ts';
import { walkFrom } from '../../src/graph/walk.ts';
import { analyzeQuery } from '../../src/search/analyze.ts';
import { packTerm } from '../../src/search/document.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import type { Indexed } from '../../src/services/repo/index/indexing.ts';
import { nameFile, nameSymbol } from '../../src/services/repo/index/names.ts';
import { createServiceDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const databases = createServiceDatabases();

const walrus = `// Walruses, and what they eat.
import { eatClam } from './clam.ts';

/** Feeds a walrus until it is content. */
export class Walrus {
  feed(count: number): void {
    for (let n = 0; n < count; n++) eatClam(n);
    this.sleep();
  }
  sleep(): void {}
}
`;
const clam = '/** One clam less. */\nexport function eatClam(n: number): number {\n  return n - 1;\n}\n';

describe.each(databases)('the index of a repository on $name', (database) => {
  let services: Services;
  let folder: string;
  beforeEach(async () => {
    folder = realpathSync(createFolder('project'));
    services = await openServices(database, folder);
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const project = () => treeOf(identifyFolder(folder).claim, folder);
  const file = (path: string) => nameFile(project(), path);
  const symbol = (path: string, qualified: string) => nameSymbol(file(path), qualified, 0);

  async function index(args: object = {}): Promise<Indexed> {
    const { operation_id: id } = await services.call('index_repository', args);
    const { operations } = services.opened;
    await expect.poll(async () => (await operations.get(id as string))?.state).toBe('done');
    const operation = await operations.get(id as string);
    // However seldom it told how far it was.
    expect(operation?.done).toBe(operation?.total ?? operation?.done);
    return operation?.result as Indexed;
  }

  async function tiesOf(id: string, kind: string): Promise<string[]> {
    const { steps } = await walkFrom(services.opened.store, [id], 1);
    return steps.filter((step) => step.from === id && step.kind === kind).map(({ to }) => to);
  }

  it('creates nodes for files and symbols, with signature, comment and lines', async () => {
    write('src/walrus.ts', walrus);
    write('src/clam.ts', clam);
    expect(await index()).toMatchObject({ files: 2, symbols: 4, added: 2, changed: 0, removed: 0 });
    const { graph } = services.opened;
    expect(await graph.get(symbol('src/walrus.ts', 'Walrus.feed'))).toMatchObject({
      kind: 'symbol',
      text: 'feed(count: number): void',
      data: { path: 'src/walrus.ts', name: 'feed', symbol: 'method', start: 6, end: 9, language: 'typescript' },
    });
    expect(await graph.get(symbol('src/walrus.ts', 'Walrus'))).toMatchObject({
      text: 'export class Walrus\nFeeds a walrus until it is content.',
    });
    const node = await graph.get(file('src/walrus.ts'));
    expect(node).toMatchObject({ kind: 'file', title: 'src/walrus.ts', data: { language: 'typescript', lines: 11 } });
    expect(node?.text).toContain('Walruses, and what they eat.');
    const [found] = await graph.find({ query: 'until content', projects: [project()], kinds: ['symbol'] });
    expect(found?.node.data).toMatchObject({ qualified: 'Walrus' });
  });

  it('ties files and symbols: contains, imports, calls, references, tests, documented-in', async () => {
    write('src/walrus.ts', walrus);
    write('src/clam.ts', clam);
    write('test/walrus.test.ts', "import { Walrus } from '../src/walrus.ts';\nnew Walrus().feed(3);\n");
    write('README.md', '# Zoo\n\nSee `src/walrus.ts`, and `eatClam` for clams.\n');
    await index();
    const [zoo, clams] = [file('src/walrus.ts'), file('src/clam.ts')];
    expect(await tiesOf(zoo, 'contains')).toEqual([symbol('src/walrus.ts', 'Walrus')]);
    expect(await tiesOf(zoo, 'imports')).toEqual([clams]);
    expect(await tiesOf(symbol('src/walrus.ts', 'Walrus.feed'), 'calls')).toEqual(
      expect.arrayContaining([symbol('src/clam.ts', 'eatClam'), symbol('src/walrus.ts', 'Walrus.sleep')]),
    );
    expect(await tiesOf(zoo, 'references')).toEqual([symbol('src/clam.ts', 'eatClam')]);
    expect(await tiesOf(file('test/walrus.test.ts'), 'tests')).toEqual(
      expect.arrayContaining([zoo, symbol('src/walrus.ts', 'Walrus')]),
    );
    expect(await tiesOf(zoo, 'documented-in')).toEqual([file('README.md')]);
    expect(await tiesOf(symbol('src/clam.ts', 'eatClam'), 'documented-in')).toEqual([file('README.md')]);
  });

  it('re-reads only changed files, without duplicates', async () => {
    write('src/walrus.ts', walrus);
    write('src/clam.ts', clam);
    await index();
    const before = await countNodes(services.opened, [project()], 'symbol');
    expect(await index()).toMatchObject({ files: 2, added: 0, changed: 0, unchanged: 2 });
    // The same bytes under another time.
    write('src/clam.ts', clam);
    expect(await index()).toMatchObject({ changed: 0, unchanged: 2 });
    write('src/clam.ts', clam.replace('eatClam', 'eatMussel'));
    expect(await index()).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await index({ force: true })).toMatchObject({ changed: 2, unchanged: 0 });
    expect(await countNodes(services.opened, [project()], 'symbol')).toBe(before);
    const names = await findNames(services.opened, project(), ['EatClam', 'eatMussel']);
    expect(names.map(({ name }) => name)).toEqual(['eatMussel']);
    expect(await services.opened.graph.get(symbol('src/clam.ts', 'eatClam'))).toBeUndefined();
  });

  it('writes many files like one, and continues after an interruption', async () => {
    const count = 120;
    const text = (n: number, word: string) =>
      `/** Feeds ${word} ${n}. */\nexport function feed${n}() {}\nexport function rest${n}() {}\nexport class Den${n} {}\n`;
    for (let n = 0; n < count; n++) write(`src/f${n}.ts`, text(n, 'walrus'));
    expect(await index()).toMatchObject({ files: count, symbols: 3 * count, added: count });
    const { opened } = services;
    const find = async (query: string) => {
      const found = await opened.graph.find({ query, projects: [project()], kinds: ['symbol'], limit: 500 });
      return found.filter(({ node }) => node.text.includes(query)).length;
    };
    expect(await find('walrus')).toBe(count);
    for (let n = 0; n < count; n++) write(`src/f${n}.ts`, text(n, 'seal'));
    // Some may have been noticed and read before it is asked for.
    await index();
    expect([await find('walrus'), await find('seal')]).toEqual([0, count]);
    expect(await countNodes(opened, [project()], 'symbol')).toBe(3 * count);
    // An end in the middle, after which the files are as the index last had them.
    const stop = new AbortController();
    const deriving = { store: opened.store, project: project(), model: '', now: opened.graph.now() };
    const gone = Array.from({ length: count }, (_, n): DerivedFile => {
      const path = `src/f${n}.ts`;
      const nodes = [0, 1, 2].map((at) => ({
        ...{ id: at === 0 ? file(path) : symbol(path, at === 1 ? `feed${n}` : `rest${n}`), kind: 'symbol' },
        ...{ title: '', text: 'gone', data: '{}', indexed: '', terms: 1, length: 1 },
      }));
      const rest = { language: 'typescript', family: 'ecmascript', size: 1, modified: 1, hash: 'x', links: '{}' };
      const terms = Uint32Array.from(nodes, () => packTerm(0, 1));
      return { id: file(path), path, nodes, vectors: undefined, terms, words: 'gone', ...rest };
    });
    stop.abort();
    await expect(replaceDerived(deriving, gone, stop.signal)).rejects.toThrow();
    // The watcher may be quicker, so that nothing is left to the index.
    await index();
    await expect.poll(async () => [await find('gone'), await find('seal')]).toEqual([0, count]);
  });

  it('indexes translations and drawings by name only', async () => {
    write('locale/de.po', 'msgid "walrus"\nmsgstr "Walross"\n');
    write('docs/walrus.svg', '<svg><title>tusk</title></svg>\n');
    await index();
    const count = async (words: string) => {
      const asked = { terms: analyzeQuery(words), scope: { projects: [project()], kinds: ['file'] }, limit: 5 };
      return (await new SearchIndex(services.opened.store).find(asked)).words.length;
    };
    expect([await count('walross'), await count('tusk')]).toEqual([0, 0]);
    expect([await count('locale/de.po'), await count('walrus.svg')]).toEqual([1, 1]);
  });

  it('removes deleted files, except nodes that memories link to', async () => {
    write('src/walrus.ts', walrus);
    write('src/clam.ts', clam);
    await index();
    const { graph } = services.opened;
    const id = symbol('src/clam.ts', 'eatClam');
    await graph.put([{ id: 'm1', project: project(), kind: 'memory', text: 'clams are eaten one by one' }], 'ann');
    await graph.link({ from: 'm1', kind: 'about', to: id });
    rmSync(join(folder, 'src/clam.ts'));
    expect(await index()).toMatchObject({ files: 1 });
    expect(await graph.get(file('src/clam.ts'))).toBeUndefined();
    const kept = await graph.get(id);
    expect(kept?.validTo).toBeDefined();
    expect(await graph.find({ query: 'eatClam', projects: [project()], kinds: ['symbol'] })).not.toContainEqual(
      expect.objectContaining({ node: expect.objectContaining({ id }) }),
    );
    write('src/clam.ts', clam);
    await index();
    expect((await graph.get(id))?.validTo).toBeUndefined();
  });

  it('links a memory to the file it mentions', async () => {
    write('src/walrus.ts', walrus);
    await services.call('remember', { content: 'src/walrus.ts must never import the zoo' });
    await index();
    const { steps } = await walkFrom(services.opened.store, [file('src/walrus.ts')], 1);
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'is', to: file('src/walrus.ts') }));
  });

  it('skips ignored, installed, generated, binary, large and linked files', async () => {
    write('.gitignore', 'secret-*.ts\n/out/\n');
    write('.loreignore', 'drafts/\n');
    write('inner/.gitignore', '*.gen.ts\n!kept.gen.ts\n');
    write('src/clam.ts', clam);
    for (const name of [
      'secret-a.ts',
      'out/a.ts',
      'drafts/a.ts',
      'inner/a.gen.ts',
      'node_modules/x/a.ts',
      'dist/a.js',
    ]) {
      write(name, clam);
    }
    write('inner/kept.gen.ts', 'export const kept = 1;\n');
    write('src/made.ts', `// @generated by a program\n${clam}`);
    write('src/min.js', `var a=1;${'b(a);'.repeat(4_000)}`);
    write('src/blob.ts', Uint8Array.from([0, 1, 2, 3, 0, 255]));
    write('src/large.ts', `${'// large\n'.repeat(200_000)}`);
    write('package-lock.json', '{}');
    symlinkSync(join(folder, 'src/clam.ts'), join(folder, 'src/link.ts'));
    const { files, skipped } = await index();
    const known: string[] = [];
    for (const path of ['.gitignore', '.loreignore', 'inner/.gitignore', 'inner/kept.gen.ts', 'src/clam.ts']) {
      if (await services.opened.graph.get(file(path))) known.push(path);
    }
    expect(known).toEqual(expect.arrayContaining(['inner/kept.gen.ts', 'src/clam.ts']));
    expect(files).toBe(known.length);
    expect(skipped).toMatchObject({ generated: 2, minified: 1, binary: 1, too_large: 1, link: 1 });
  });

  it('accepts patterns to include and exclude', async () => {
    write('src/clam.ts', clam);
    write('src/clam.test.ts', clam);
    write('lib/clam.py', 'def eat():\n    pass\n');
    expect(await index({ include: ['src/'], exclude: ['*.test.ts'] })).toMatchObject({ files: 1 });
    await expect(services.call('index_repository', { project_path: '/' })).rejects.toMatchObject({ word: 'forbidden' });
    await expect(services.call('index_repository', { project_path: '.', url: 'https://x/y' })).rejects.toMatchObject({
      word: 'invalid_input',
      details: { path: 'arguments.url' },
    });
  });

  it('reports the state of the index', async () => {
    expect(await readIndexState(services.opened, project())).toEqual({ files: 0, state: 'none' });
    write('src/clam.ts', clam);
    await index();
    expect(await readIndexState(services.opened, project())).toEqual({ files: 1, state: 'complete' });
    expect(await completeNames(services.opened, project(), 'eatc', 5)).toEqual(['eatClam']);
  });

  it('serves definitions as resources, and completes their names', async () => {
    write('src/clam.ts', clam);
    await index();
    const call = createPlainCall({ ...localCaller, folder });
    const [found] = await readResource(services.registry, 'lore://symbol/eatClam', call);
    expect((found as { text: string }).text).toContain('eatClam src/clam.ts:');
    await expect(readResource(services.registry, 'lore://symbol/absent', call)).rejects.toMatchObject({
      word: 'not_found',
    });
    const typed = { argument: 'name', value: 'eatc', context: {} };
    const uriTemplate = 'lore://symbol/{+name}';
    expect(await complete(services.registry, { uriTemplate }, typed, call)).toEqual(['eatClam']);
  });

  it('follows changed, added, moved and removed files while it runs', async () => {
    write('src/walrus.ts', walrus);
    write('src/clam.ts', clam);
    await index();
    const has = async (path: string, name: string) =>
      (await services.opened.graph.get(symbol(path, name))) !== undefined;
    write('src/clam.ts', clam.replace('eatClam', 'eatOyster'));
    await expect.poll(() => has('src/clam.ts', 'eatOyster')).toBe(true);
    write('src/seal.ts', 'export function bark() {}\n');
    await expect.poll(() => has('src/seal.ts', 'bark')).toBe(true);
    renameSync(join(folder, 'src/seal.ts'), join(folder, 'src/sea-lion.ts'));
    await expect.poll(() => has('src/sea-lion.ts', 'bark')).toBe(true);
    await expect.poll(() => has('src/seal.ts', 'bark')).toBe(false);
    write('deep/er/otter.ts', 'export function float() {}\n');
    await expect.poll(() => has('deep/er/otter.ts', 'float')).toBe(true);
    rmSync(join(folder, 'deep'), { recursive: true });
    await expect.poll(() => has('deep/er/otter.ts', 'float')).toBe(false);
  });

  it('describes a symbol: definition, users, tests, documents, memories', async () => {
    write('src/walrus.ts', walrus);
    write('src/clam.ts', clam);
    write('test/clam.test.ts', "import { eatClam } from '../src/clam.ts';\neatClam(3);\n");
    write('README.md', '# Zoo\n\n`eatClam` is for clams.\n');
    await expect(services.call('repo_symbol', { name: 'eatClam' })).rejects.toMatchObject({ word: 'not_found' });
    await services.call('remember', { content: 'eatClam() returns a negative number when the bucket is empty' });
    await index();
    expect(await services.call('repo_symbol', { name: 'eatClam' })).toMatchObject({
      name: 'eatClam',
      kind: 'function',
      path: 'src/clam.ts',
      start: 2,
      end: 4,
      callers: expect.arrayContaining([{ name: 'Walrus.feed', path: 'src/walrus.ts', line: 6 }]),
      tests: ['test/clam.test.ts'],
      documents: ['README.md'],
      memories: [{ text: expect.stringContaining('bucket') }],
      index: { state: 'complete' },
    });
    expect(await services.call('repo_symbol', { name: 'Walrus::feed' })).toMatchObject({
      callees: expect.arrayContaining([{ name: 'eatClam', path: 'src/clam.ts', line: 2 }]),
    });
    expect(await services.text('repo_symbol', { name: 'src/clam.ts#eatClam' })).toContain('src/clam.ts:2-4');
    await expect(services.call('repo_symbol', { name: 'eatWhale' })).rejects.toMatchObject({ word: 'not_found' });
  });

  it('outlines the most referenced files within a budget', async () => {
    write('src/core/clam.ts', clam);
    for (let n = 0; n < 30; n++) {
      write(
        `src/eaters/eater-${n}.ts`,
        `import { eatClam } from '../core/clam.ts';\nexport function eat${n}() { eatClam(${n}); }\n`,
      );
    }
    await index();
    const map = await services.call('repo_map', { budget_tokens: 300 });
    expect(map).toMatchObject({ files: 31, folders: [{ path: 'src', files: 31 }], languages: { typescript: 31 } });
    const [first, ...rest] = map.map as { path: string; symbols: { name: string }[] }[];
    expect(first).toMatchObject({ path: 'src/core/clam.ts', symbols: [{ name: 'eatClam' }] });
    expect(rest.length).toBeLessThan(30);
    expect(map.left_out).toBe(30 - rest.length);
    expect(await services.call('repo_map', { path: 'src/core' })).toMatchObject({ files: 1, left_out: 0 });
  });

  it('returns the lines of a symbol for read_file', async () => {
    write('src/walrus.ts', walrus);
    await index();
    const view = await services.call('read_file', { path: 'src/walrus.ts', symbol: 'Walrus.feed' });
    expect(view).toMatchObject({ start: 6, end: 9 });
  });

  it('stores no secret of a file', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    write('src/key.ts', `/** Used with ${token}. */\nexport const key = '${token}';\n`);
    await index();
    const node = await services.opened.graph.get(symbol('src/key.ts', 'key'));
    expect(JSON.stringify(node)).not.toContain(token);
    expect(await services.opened.graph.find({ query: token, projects: [project()], by: 'words' })).toEqual([]);
  });

  it('links files that are changed together', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', ...args], {
        cwd: folder,
      });
    git('init', '-q');
    for (let n = 0; n < 3; n++) {
      write('src/walrus.ts', `${walrus}// ${n}\n`);
      write('src/clam.ts', `${clam}// ${n}\n`);
      git('add', '.');
      git('commit', '-qm', `change ${n}`);
    }
    await index();
    expect(await tiesOf(file('src/clam.ts'), 'changed-with')).toEqual([file('src/walrus.ts')]);
  });
});
