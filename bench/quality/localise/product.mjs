// The same through the product: each issue's tree is written out, indexed by a server of its own and asked about with
// search_code. An index takes its time, so this is for some repositories at a time. With what `main.mjs --keep` has kept, it
// says how far the two agree.
// node bench/quality/localise/product.mjs [--split tune] [--repos psf/requests,…] [--first N] [--keep FOLDER]   after a build
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from '../../bundle.mjs';
import { startServer } from '../../stdio.mjs';

/** @typedef {{ id: string, repo: string, base_commit: string, problem_statement: string, gold_files: string[] }} Issue */

/** Those whose trees are indexed in seconds. */
const small = [
  'psf/requests',
  'pallets/flask',
  'marshmallow-code/marshmallow',
  'pydicom/pydicom',
  'pytest-dev/pytest',
  'pydata/xarray',
  'pvlib/pvlib-python',
  'pylint-dev/astroid',
];
const { values } = parseArgs({
  options: {
    split: { type: 'string', default: 'tune' },
    repos: { type: 'string', default: small.join(',') },
    keep: { type: 'string' },
    first: { type: 'string', default: 'Infinity' },
    data: { type: 'string', default: join(root, '../shared/data') },
    mirrors: { type: 'string', default: join(root, '../.mirror') },
  },
});
const file = join(values.data, `swebench/${values.split}.json`);
if (!existsSync(file) || !existsSync(values.mirrors)) {
  console.log(`Skipped: ${file} or ${values.mirrors} is not there`);
  process.exit(0);
}
/** A mirror may lack large files, which are data. */
const text = /\.(?:pyx?|[jt]sx?|go|rs|java|rb|php|c|h|rst|md|toml)$/;
const { isSource, isTest } = await load('src/services/repo/search/rank/source.ts');
const { orderBy } = await load('bench/quality/localise/fit.ts');
const { weights } = await load('src/services/repo/search/rank/weights.ts');
const kept =
  values.keep === undefined ? [] : JSON.parse(readFileSync(join(values.keep, `${values.split}.json`), 'utf8'));
const repos = values.repos.split(',');
/** @type {Issue[]} */
const issues = JSON.parse(readFileSync(file, 'utf8'))
  .filter((/** @type {Issue} */ { repo }) => repos.includes(repo))
  .slice(0, Number(values.first));
const sums = { 'Acc@1': 0, 'Acc@5': 0, 'any@1': 0, 'any@5': 0 };
const agreed = { first: 0, 'gold within five': 0, 'of the first five': 0 };
for (const issue of issues) {
  const order = await ask(issue);
  const ranks = rank(order, issue);
  for (const k of [1, 5]) {
    sums[/** @type {'Acc@1'} */ (`Acc@${k}`)] += Math.max(...ranks) < k ? 1 : 0;
    sums[/** @type {'any@1'} */ (`any@${k}`)] += Math.min(...ranks) < k ? 1 : 0;
  }
  const known = kept.find((/** @type {{ id: string }} */ { id }) => id === issue.id);
  const inMemory = known ? orderBy(known, weights) : [];
  if (known) compare(order, inMemory, issue);
  const beside = known
    ? ` (in memory ${rank(inMemory, issue)
        .map((at) => at + 1)
        .join(' ')})`
    : '';
  console.log(`${issue.id}: ${ranks.map((at) => at + 1).join(' ')}${beside}`);
}
const percent = Object.entries(sums).map(([name, sum]) => `${name} ${((sum / issues.length) * 100).toFixed(1)}`);
console.log(`${issues.length} issues: ${percent.join(', ')}`);
const alike = Object.entries(agreed).map(([name, sum]) => `${name} ${((sum / issues.length) * 100).toFixed(1)}`);
if (kept.length > 0) console.log(`the same as in memory: ${alike.join(', ')}`);

/**
 * @param {string[]} order
 * @param {Issue} issue
 */
function rank(order, { gold_files: gold }) {
  return gold.map((path) => (order.includes(path) ? order.indexOf(path) : Number.POSITIVE_INFINITY));
}

/**
 * @param {string[]} order
 * @param {string[]} inMemory
 * @param {Issue} issue
 */
function compare(order, inMemory, issue) {
  const within = (/** @type {string[]} */ one) =>
    rank(one, issue)
      .map((at) => at < 5)
      .join();
  const five = inMemory.slice(0, 5);
  agreed.first += order[0] === inMemory[0] ? 1 : 0;
  agreed['gold within five'] += within(order) === within(inMemory) ? 1 : 0;
  agreed['of the first five'] += five.filter((path) => order.slice(0, 5).includes(path)).length / five.length;
}

/** @param {Issue} issue */
async function ask({ repo, base_commit: commit, problem_statement: query }) {
  const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  const wanted = repo.replace('/', '+').toLowerCase();
  const mirror = readdirSync(values.mirrors).find((name) => name.toLowerCase() === wanted) ?? wanted;
  const mirrored = join(values.mirrors, mirror, 'repo');
  const git = ['-c', 'safe.directory=*', '--git-dir', mirrored];
  const names = execFileSync('git', [...git, 'ls-tree', '-r', '--name-only', commit], { encoding: 'utf8' }).split('\n');
  const texts = new Set(names.flatMap((name) => (text.test(name) ? [`*${text.exec(name)?.[0]}`] : [])));
  execFileSync('tar', ['-x', '-C', tree], {
    input: execFileSync('git', [...git, 'archive', commit, '--', ...texts], { maxBuffer: 1 << 30 }),
  });
  execFileSync('git', ['init', '-q', tree]);
  // The history is the mirror's own, without a copy.
  writeFileSync(join(tree, '.git/objects/info/alternates'), `${join(mirrored, 'objects')}\n`);
  execFileSync('git', ['-C', tree, 'update-ref', 'HEAD', commit]);
  const env = {
    ...process.env,
    LORE_DB: join(folder, 'lore.db'),
    LORE_CONFIG: join(folder, 'none.json'),
    HOME: folder,
  };
  const server = await startServer({ env: { ...env, LOG_LEVEL: 'error' }, cwd: tree });
  try {
    for (let state = 'indexing'; state === 'indexing'; ) {
      const { structuredContent } = await server.call('index_repository', {});
      state = structuredContent.state;
      if (state === 'indexing') await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    const asked = { query: query.slice(0, 20_000), mode: 'semantic', limit: 50 };
    const { structuredContent } = await server.call('search_code', asked);
    const paths = structuredContent.files.map((/** @type {{ path: string }} */ { path }) => path);
    return paths.filter((/** @type {string} */ path) => isSource(path) && !isTest(path));
  } finally {
    const ended = new Promise((resolve) => server.child.once('exit', resolve));
    server.child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} path */
async function load(path) {
  const entryPoints = [join(root, path)];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}
