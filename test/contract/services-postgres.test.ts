// Every tool that reads or writes the graph, called once on PostgreSQL. Service contracts run on SQLite, because services
// never see the dialect; this shows that each query they send is one that the server understands too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localCaller } from '../../src/core/call.ts';
import { createServerDatabase } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const database = createServerDatabase();
/** Tools of the system and of the server itself: they do not query the graph, or have tests of their own. */
const others = /^(eventlog|fs|reg|operation)_|^status$/;
const refused = 'Error: connect ECONNREFUSED 127.0.0.1:5432';

describe(`services on ${database.name}`, () => {
  let folder: string;
  let opened: Services;
  const called = new Set<string>();

  beforeEach(async () => {
    folder = createFolder('project');
    mkdirSync(join(folder, 'src'));
    writeFileSync(
      join(folder, 'README.md'),
      '# Shop\n\nOrders are stored in PostgreSQL. The gateway listens on port 9443.\n',
    );
    writeFileSync(
      join(folder, 'src/retry.ts'),
      'export function retryLater(times: number): number {\n  return times;\n}\n',
    );
    opened = await openServices(database, folder);
  });
  afterEach(() => opened.close());
  afterAll(() => database.stop?.());

  async function call(name: string, args: object = {}): Promise<Record<string, unknown>> {
    called.add(name);
    return opened.call(name, args);
  }

  it('stores and finds memories', async () => {
    const { id } = await call('remember', { content: 'The gateway listens on port 9443.', tags: ['net'] });
    const other = await call('remember', { content: 'Orders are written by the importer.' });
    expect(await call('recall', { query: 'gateway port', limit: 1 })).toMatchObject({ memories: [{ id }] });
    expect(await call('recent', { limit: 1 })).toMatchObject({ memories: [{ id: other.id }] });
    await call('learn', { content: 'user: We decided to use pnpm because installs are faster.' });
    await call('init');
    await opened.opened.worker.idle();
    expect(await call('enhance', { prompt: 'Which port does the gateway listen on?' })).toMatchObject({
      relevant: true,
    });
    await call('project', { verbose: true });
    await call('stats');
    await call('cleanup', { dry_run: false, strategy: 'all' });
    await call('forget', { id: other.id });
    await call('forget', { id: other.id, undo: true });
    expect(await call('memory_share', { id, dry_run: true })).toMatchObject({ bytes: expect.stringContaining('9443') });
    await call('context_link', { from: id, kind: 'explains', to: other.id });
    expect(JSON.stringify(await call('query_context', { query: 'gateway port' }))).toContain('9443');
  });

  it('stores and finds journal entries', async () => {
    const { id } = await call('checkpoint_save', { content: 'Goal: webhooks. Next: tests.', name: 'webhooks' });
    expect(await call('checkpoint_list')).toMatchObject({ checkpoints: [{ id }] });
    await call('checkpoint_search', { query: 'webhooks' });
    expect(JSON.stringify(await call('checkpoint_resume'))).toContain('webhooks');
    const fix = await call('remediation_save', { error_msg: refused, solution: 'Start the database.' });
    expect(await call('remediation_search', { error_msg: refused })).toMatchObject({ remediations: [{ id: fix.id }] });
    await call('remediation_feedback', { id: fix.id, helpful: true });
    await call('troubleshoot', { error_message: refused });
    await call('skill_save', { name: 'release', description: 'How to release', content: '# Release\n\nTag it.' });
    expect(JSON.stringify(await call('skill_search', { query: 'release' }))).toContain('release');
    await call('collection_create', { collection_name: 'docs' });
    await call('collection_ingest', {
      collection_name: 'docs',
      content: 'Orders expire after a day.',
      title: 'Orders',
    });
    await opened.opened.worker.idle();
    expect(JSON.stringify(await call('collection_search', { query: 'orders expire' }))).toContain('Orders');
    await call('collection_list');
    await call('collection_delete', { collection_name: 'docs' });
  });

  it('indexes and reads a repository', async () => {
    const { operation_id: id } = await call('index_repository');
    const { operations } = opened.opened;
    await expect.poll(async () => (await operations.get(id as string))?.state).toBe('done');
    expect(JSON.stringify(await call('search_code', { query: 'retryLater', mode: 'symbol' }))).toContain('retry.ts');
    expect(JSON.stringify(await call('search_code', { query: 'where is it retried?' }))).toContain('retry.ts');
    expect(JSON.stringify(await call('repo_symbol', { name: 'retryLater' }))).toContain('retry.ts');
    expect(JSON.stringify(await call('repo_map'))).toContain('retryLater');
    await call('list_files');
    await call('read_file', { path: 'src/retry.ts' });
    await call('get_readme');
  });

  it('covers all of their tools', () => {
    const names = opened.registry.tools(localCaller).map(({ name }) => name);
    expect([...called].sort()).toEqual(names.filter((name) => !others.test(name)).sort());
  });
});
