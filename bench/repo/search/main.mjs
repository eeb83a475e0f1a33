// How long search_code takes over stdio: exact searches beside ripgrep on the same tree, in turns, and ranked ones on an
// index of it. The tree is a commit of a mirrored repository, written out into a throw-away folder.
// node bench/repo/search/main.mjs [--mirror FOLDER/repo] [--commit NAME] [--rounds N] [--exact]     after npm run build
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../bundle.mjs';
import { createEnvironment, startServer, summarize } from '../../stdio.mjs';

const { values } = parseArgs({
  options: {
    mirror: { type: 'string', default: join(root, '../.mirror/django+django/repo') },
    commit: { type: 'string', default: 'HEAD' },
    rounds: { type: 'string', default: '15' },
    exact: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
if (!existsSync(values.mirror)) {
  console.log(`Skipped: there is no repository at ${values.mirror}`);
  process.exit(0);
}

const settleMs = 20_000;

/** From rare to frequent. */
const patterns = ['resolve_lookup_value', 'get_prep_value', 'class Meta', 'self.assertEqual', 'import'];

const folder = mkdtempSync(join(tmpdir(), 'lore-bench-'));
const tree = join(folder, 'tree');
mkdirSync(tree);
const git = ['-c', 'safe.directory=*', '--git-dir', values.mirror];
const archive = execFileSync('git', [...git, 'archive', values.commit], { maxBuffer: 1 << 30 });
execFileSync('tar', ['-x', '-C', tree], { input: archive });
execFileSync('git', ['init', '-q', tree]);
const files = execFileSync('find', [tree, '-type', 'f', '-not', '-path', '*/.git/*']).toString().split('\n').length - 1;

const require = createRequire(import.meta.url);
const beside = createRequire(require.resolve('@vscode/ripgrep'));
const rg = beside.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
const env = createEnvironment(folder);
const server = await startServer({ env, cwd: tree });
try {
  console.log(`${files} files; median of ${rounds} rounds, milliseconds\n`);
  console.log('| literal | lines | rg | search_code | ratio |\n|---|---|---|---|---|');
  for (const pattern of patterns) await compare(pattern);
  if (!values.exact) await measureRanked();
} finally {
  const ended = new Promise((resolve) => server.child.once('exit', resolve));
  server.child.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} pattern */
async function compare(pattern) {
  const [own, theirs] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  let lines = 0;
  for (let round = -2; round < rounds; round++) {
    let begun = performance.now();
    const { stdout } = spawnSync(rg, ['-n', '--hidden', '-F', '-e', pattern, '.'], { cwd: tree, maxBuffer: 1 << 28 });
    const rival = performance.now() - begun;
    begun = performance.now();
    await server.call('search_code', { query: pattern, mode: 'literal', case_sensitive: true });
    if (round < 0) continue;
    own.push(performance.now() - begun);
    theirs.push(rival);
    lines = stdout.toString().split('\n').length - 1;
  }
  const [ours, rivals] = [summarize(own).p50 ?? 0, summarize(theirs).p50 ?? 1];
  console.log(`| ${pattern} | ${lines} | ${rivals.toFixed(1)} | ${ours.toFixed(1)} | ${(ours / rivals).toFixed(2)} |`);
}

async function measureRanked() {
  const data = join(root, '../shared/data/swebench/tune.json');
  const begun = performance.now();
  await finishIndex();
  console.log(`\nindexed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const asked = existsSync(data)
    ? JSON.parse(readFileSync(data, 'utf8'))
        .filter((/** @type {{ repo: string }} */ { repo }) => values.mirror.includes(repo.replace('/', '+')))
        .map((/** @type {{ problem_statement: string }} */ one) => one.problem_statement)
    : [];
  const sets = {
    'short questions': [
      'where are query sets turned into SQL',
      'how is a session kept between requests',
      'validation of uploaded files',
      'which middleware sets security headers',
    ],
    'whole issues': asked.slice(0, 40),
  };
  // Just made, an index is still being put together in the background.
  await measureSets(sets, 'at once');
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  await measureSets(sets, 'a moment later');
}

/**
 * @param {Record<string, string[]>} sets
 * @param {string} when
 */
async function measureSets(sets, when) {
  for (const [name, questions] of Object.entries(sets)) {
    const times = [];
    for (let round = -1; round < 3; round++) {
      for (const query of questions) {
        const since = performance.now();
        await server.call('search_code', { query: query.slice(0, 20_000), mode: 'semantic' });
        if (round >= 0) times.push(performance.now() - since);
      }
    }
    const { p50 = 0, p95 = 0 } = summarize(times);
    if (times.length > 0) console.log(`ranked, ${name}, ${when}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  }
}

async function finishIndex() {
  for (let state = 'indexing'; state === 'indexing'; ) {
    const { structuredContent } = await server.call('index_repository', {});
    state = structuredContent.state;
    if (state === 'indexing') await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
