// The text of a result is all that most models see of it. For every tool: what a later call needs (ids, cursors, paths, names)
// is in the text, and what was kept or read from files stands inside a fence.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import type { ToolResult } from '../../src/core/tool.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

/** In everything that was kept before, and in a file. */
const mark = 'zebracorn';
/** Fields that are arguments of another call. */
const needed =
  /^(?:id|\w+_id|ids|next_cursor|next_start|undo|superseded_by|may_be_outdated_by|by|operations|path|collection_name|version)$/;
/** Say back what the caller has just said. */
const echoes = ['checkpoint_save', 'remediation_save', 'troubleshoot', 'enhance'];
/** Closed until a person opens them; their own tests look at their text. */
const closed = ['eventlog_list_logs', 'eventlog_query', 'reg_read', 'reg_write'];

let services: Services;
let folder: string;
let now = Date.now();
const seen = new Map<string, ToolResult[]>();

async function call(name: string, args: object = {}) {
  const result = await services.registry.call(name, args, createPlainCall({ ...localCaller, folder }));
  seen.set(name, [...(seen.get(name) ?? []), result]);
  return result.structured as { id: string; undo?: string; operations: { id: string }[] };
}

beforeAll(async () => {
  folder = createFolder('text');
  writeFileSync(join(folder, 'README.md'), `# Text\n\nThe ${mark} service listens on port 8443.\n`);
  writeFileSync(
    join(folder, 'herd.ts'),
    `/** Feeds the ${mark}. */\nexport function feedHerd() {\n  return '${mark}';\n}\n`,
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', `Feed the ${mark}`);
  services = await openServices(sqlite, folder, { now: () => now }, { roots: [] });
  await exercise();
});
afterAll(() => services.close());

/** Calls every tool, so that each has something to say. */
async function exercise(): Promise<void> {
  await call('init');
  await services.opened.worker.idle();
  await call('learn', { content: `We always feed the ${mark} at noon.` });
  await services.opened.worker.idle();
  const first = await call('remember', { content: `The ${mark} is fed by feedHerd in herd.ts.`, tags: ['herd'] });
  const second = await call('remember', { content: `The ${mark} sleeps in pen 7.`, expires: '30d' });
  await call('remember', { content: `Ann bought the ${mark} in spring.` });
  await call('recall', { query: `Where does the ${mark} sleep?`, limit: 1, explain: true });
  await call('recent');
  await call('project');
  await call('stats');
  await call('enhance', { prompt: `Where does the ${mark} sleep?` });
  await call('context_link', { from: first.id, kind: 'explains', to: second.id });
  await call('query_context', { query: `${mark} pen` });
  await call('index_repository');
  await services.opened.worker.idle();
  await call('repo_map');
  await call('repo_symbol', { name: 'feedHerd' });
  await call('search_code', { query: mark, mode: 'literal', limit: 1 });
  await call('search_code', { query: `who feeds the ${mark}?`, mode: 'semantic' });
  await call('read_file', { path: 'herd.ts', end: 2 });
  await call('get_readme');
  await call('list_files', { limit: 1 });
  await call('fs_search', { content: mark, limit: 1 });
  await call('fs_stat', { path: 'herd.ts' });
  const content = `Goal: feed the ${mark} in herd.ts. The ${mark} sleeps in pen 9.`;
  await call('checkpoint_save', { content, name: `${mark} work`, metadata: { ticket: 'T-17' } });
  await call('checkpoint_save', { content: `${content} Later.`, name: `${mark} again` });
  await call('checkpoint_list', { limit: 1 });
  await call('checkpoint_search', { query: mark });
  await call('checkpoint_resume');
  const error = `Error: ${mark} escaped from pen 9`;
  const saved = await call('remediation_save', { error_msg: error, solution: `Close the pen of the ${mark}.` });
  await call('remediation_search', { error_msg: error });
  await call('remediation_feedback', { id: saved.id, helpful: true });
  await call('troubleshoot', { error_message: error });
  await call('skill_save', {
    name: 'feed-herd',
    content: `# Feed\n\nGive the ${mark} hay.`,
    description: `Feeds the ${mark}`,
  });
  await call('skill_save', { name: 'shear-herd', content: `# Shear\n\nShear the ${mark}.` });
  await call('skill_search', { limit: 1 });
  await call('skill_search', { name: 'feed-herd' });
  await call('collection_create', { collection_name: 'herd', description: `All about the ${mark}` });
  await call('collection_ingest', { collection_name: 'herd', path: '.' });
  await call('collection_list');
  await call('collection_search', { query: mark });
  await call('collection_delete', { collection_name: 'herd' });
  const { operations } = await call('status');
  await call('status', { operation_id: operations[0]?.id });
  await call('operation_cancel', { operation_id: operations[0]?.id });
  await call('memory_share', { id: first.id, dry_run: true });
  await call('forget', { id: first.id });
  await call('forget', { id: first.id, undo: true });
  await call('remember', { content: `The ${mark} eats hay.`, expires: '30d' });
  now += 31 * 86_400_000;
  await call('cleanup');
  const { undo } = await call('cleanup', { dry_run: false });
  await call('cleanup', { undo });
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** `path.to.field` with each value that a later call may need. */
function collect(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, path));
  if (typeof value === 'object' && value !== null) {
    // Nobody asks for an operation that is over.
    if ('operation_id' in value && 'result' in value) return [];
    return Object.entries(value).flatMap(([key, item]) => collect(item, path === '' ? key : `${path}.${key}`));
  }
  const isNeeded =
    needed.test(path.split('.').at(-1) ?? '') && (typeof value === 'string' || typeof value === 'number');
  return isNeeded && value !== '' ? [[path, String(value)]] : [];
}

/** What is left of a text without its fenced blocks. */
function outsideFences(text: string): string {
  return text.replaceAll(/<(lore-data-\w+)>\n[\s\S]*?\n<\/\1>/g, '');
}

it('calls every tool that a model may call', () => {
  const names = services.registry.permissions().flatMap(({ tool }) => (tool.scope === undefined ? [tool.name] : []));
  expect(names.filter((name) => !seen.has(name))).toEqual(closed);
});

it('contains in its text what a later call needs', () => {
  const missing = [...seen].flatMap(([name, results]) =>
    results.flatMap((result) => {
      const text = textOf(result);
      return collect(result.structured)
        .filter(([, value]) => !text.includes(value))
        .map(([path, value]) => `${name}: ${path} ${value}`);
    }),
  );
  expect(missing).toEqual([]);
});

it('fences stored and read text', () => {
  const loose = [...seen].flatMap(([name, results]) =>
    (echoes.includes(name) ? [] : results)
      .flatMap((result) => outsideFences(textOf(result)).split('\n'))
      .filter((line) => line.includes(mark))
      .map((line) => `${name}: ${line}`),
  );
  expect(loose).toEqual([]);
});
