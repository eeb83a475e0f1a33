// Learning, end to end: one session makes twenty kinds of wrong calls and then right ones; another process makes the same kinds of
// mistakes with other values. Counts how often its first failure reports what is right, and looks for secrets.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnvironment, lore, startServer } from '../stdio.mjs';

const filesystem = join(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const tracker = join(import.meta.dirname, 'tracker.mjs');
/** They are arguments of calls; none may appear in what another session reads. */
const secrets = ['hunter-2-lives', 'ghp_x1Y2z3A4b5C6d7E8f9G0h1I2j3K4l5M6n7O8', 'correct horse battery'];

/** `wrong` and `right` are two values of one kind of mistake: the first is made while learning, the second later. */
const kinds = (folder) => [
  [
    'files_read_text_file',
    [{ path: 'file:///a.md' }, { path: 'file:///b.md' }],
    { path: join(folder, 'a.md') },
    /`path` as an absolute path/,
  ],
  [
    'files_get_file_info',
    [{ path: '~/a.md' }, { path: '~/b.md' }],
    { path: join(folder, 'a.md') },
    /`path` as an absolute path/,
  ],
  ['files_list_directory', [{ path: '$HOME/x' }, { path: '$PWD/y' }], { path: folder }, /`path` as an absolute path/],
  [
    'files_read_text_file',
    [
      { path: join(folder, 'a.md'), head: 1, tail: 1 },
      { path: join(folder, 'b.md'), head: 3, tail: 9 },
    ],
    { path: join(folder, 'a.md'), head: 1 },
    /without `tail`/,
  ],
  ['files_directory_tree', [{ path: '"/x"' }, { path: '"/y"' }], { path: folder }, /`path` as an absolute path/],
  ['tracker_add_event', [{ date: 'tomorrow' }, { date: 'friday' }], { date: '2026-03-04' }, /a date \(YYYY-MM-DD\)/],
  [
    'tracker_list_changes',
    [{ since: '2026-01-02' }, { since: '2025-07-08' }],
    { since: '2026-01-02T00:00:00Z' },
    /RFC 3339/,
  ],
  ['tracker_list_issues', [{ state: 'OPEN' }, { state: 'CLOSED' }], { state: 'open' }, /`state` as .*"open"/],
  ['tracker_get_repository', [{ repo: 'widgets' }, { repo: 'gadgets' }], { repo: 'acme/widgets' }, /owner\/name/],
  ['tracker_add_labels', [{ labels: 'bug' }, { labels: 'docs' }], { labels: ['bug'] }, /`labels` as a list/],
  ['tracker_page_issues', [{ per_page: '50' }, { per_page: '20' }], { per_page: 50 }, /`per_page` as a whole number/],
  ['tracker_create_issue', [{ body: 'x' }, { body: 'y' }], { title: 'Broken', body: 'x' }, /with `title`/],
  ['tracker_search_issues', [{ query: 'crash' }, { query: 'slow' }], { q: 'crash' }, /with `q`/],
  ['tracker_assign', [{ user: 'ada' }, { user: 'bob' }], { user: 'ada@example.com' }, /an email address/],
  ['tracker_close_issue', [{ reason: 'wontfix' }, { reason: 'duplicate' }], { reason: 'not_planned' }, /"not_planned"/],
  ['tracker_set_color', [{ color: 'red' }, { color: 'blue' }], { color: '#ff0000' }, /`color` as .*#/],
  ['tracker_run_job', [{ inputs: '{"a":1}' }, { inputs: '{"b":2}' }], { inputs: { a: 1 } }, /`inputs` as an object/],
  ['tracker_delete_branch', [{ branch: 'x' }, { branch: 'y' }], { branch: 'x', force: true }, /with `force`.*true/],
  ['tracker_read_page', [{ page: 0 }, { page: 0 }], { page: 1 }, /`page` as .*not zero/],
  [
    'tracker_call_hook',
    [
      { url: 'example.com', token: secrets[0], password: secrets[2] },
      { url: 'example.org', token: secrets[1], password: secrets[2] },
    ],
    { url: 'https://example.com', token: secrets[1], password: secrets[2] },
    /`url` as a URL/,
  ],
];

const textOf = ({ content = [] }) => content.map(({ text = '' }) => text).join('\n');

export async function measureLearning() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'lore-bench-')));
  const folder = join(home, 'files');
  mkdirSync(folder);
  for (const name of ['a.md', 'b.md']) writeFileSync(join(folder, name), 'one\ntwo\n');
  const env = createEnvironment(home);
  writeFileSync(env.LORE_CONFIG, '{}');
  const node = process.execPath;
  for (const [name, ...command] of [
    ['files', node, filesystem, folder],
    ['tracker', node, tracker],
  ]) {
    for (const args of [
      ['mount', name, '--', ...command],
      ['allow', name, '--level', 'write'],
    ]) {
      const { status, stderr } = spawnSync(node, [lore, ...args], { env });
      if (status !== 0) throw new Error(String(stderr));
    }
  }
  const open = async () => {
    const { child, send } = await startServer({ env, cwd: home });
    const call = async (name, args) =>
      (await send('tools/call', { name: 'tool_write', arguments: { name, arguments: args } })).result;
    return {
      call,
      find: async (names) => (await send('tools/call', { name: 'tool_find', arguments: { names } })).result,
      child,
    };
  };
  const all = kinds(folder);
  const first = await open();
  for (const [name, [wrong], right] of all) {
    if (!(await first.call(name, wrong)).isError) throw new Error(`${name} did not fail: ${JSON.stringify(wrong)}`);
    const worked = await first.call(name, right);
    if (worked.isError) throw new Error(`${name} failed: ${textOf(worked)}`);
  }
  first.child.kill();
  const later = await open();
  const read = [];
  let found = 0;
  for (const [name, [, wrong], , expected] of all) {
    const failure = textOf(await later.call(name, wrong));
    const [, advice = ''] = failure.split('This fixed it before:');
    read.push(advice);
    if (expected.test(advice)) found++;
    else console.log(`no hint: ${name} ${JSON.stringify(wrong)}\n${advice}`);
  }
  read.push(textOf(await later.find([...new Set(all.map(([name]) => name))].slice(0, 10))));
  later.child.kill();
  read.push(String(spawnSync(node, [lore, 'mount', 'show', 'tracker', '--json'], { env }).stdout));
  const stored = join(home, 'gateway');
  for (const file of readdirSync(stored))
    if (file.includes('lessons')) read.push(readFileSync(join(stored, file), 'utf8'));
  const leaked = secrets.filter((secret) => read.some((text) => text.includes(secret)));
  rmSync(home, { recursive: true, force: true });
  console.log(
    `${found} of ${all.length} first failures carry the right hint; ${leaked.length} of ${secrets.length} secrets appear`,
  );
}
