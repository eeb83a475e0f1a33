// What is known about an error, from everywhere at once, and what a failing tool is told, over each database.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoreError } from '../../src/core/error.ts';
import * as s from '../../src/core/schema.ts';
import { defineTool } from '../../src/core/tool.ts';
import { createServiceDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const databases = createServiceDatabases();

const trace = `2026-03-02T10:15:00Z Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)
    at openPool (src/pool.ts:12:3)`;

interface Evidence {
  headline: string;
  remediations: { solution: string }[];
  memories: { text: string }[];
  commits: { subject: string; files: string[] }[];
  log: { file: string; line: number; text: string }[];
}

describe.each(databases)('troubleshooting on $name', (database) => {
  let services: Services;
  let folder: string;
  beforeEach(async () => {
    folder = createFolder('project');
    services = await openServices(database, folder);
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const troubleshoot = async (error: string, rest: object = {}) =>
    (await services.call('troubleshoot', { error_message: error, ...rest })) as unknown as Evidence;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });

  it('collects fixes, memories, commits and log lines', async () => {
    git('init', '-q');
    mkdirSync(join(folder, 'src'));
    for (const [name, subject] of [
      ['src/other.ts', 'feat: other things'],
      ['src/pool.ts', 'fix: open the pool lazily'],
    ] as const) {
      writeFileSync(join(folder, name), 'export {};\n');
      git('add', '.');
      git('commit', '-qm', subject);
    }
    mkdirSync(join(folder, 'logs'));
    writeFileSync(
      join(folder, 'logs/app.log'),
      ['2026-03-02T09:00:00Z started', '2026-03-02T10:14:50Z database is going down', '', 'not a time'].join('\n'),
    );
    symlinkSync('/etc/passwd', join(folder, 'logs/secret.log'));
    await services.call('remediation_save', {
      error_msg: trace.replace('5432', '5433').replace('10:15', '11:45'),
      solution: 'Start the database: npm run db.',
    });
    await services.call('remember', { content: 'The pool in src/pool.ts connects to PostgreSQL on port 5432.' });
    await services.call('remember', { content: 'Deploys go out on Tuesdays.' });

    const found = await troubleshoot(trace);
    expect(found.headline).toContain('connect ECONNREFUSED');
    expect(found.remediations.map(({ solution }) => solution)).toEqual(['Start the database: npm run db.']);
    expect(found.memories.map(({ text }) => text)).not.toContain('Deploys go out on Tuesdays.');
    expect(found.commits).toMatchObject([{ subject: 'fix: open the pool lazily', files: ['src/pool.ts'] }]);
    expect(found.log).toEqual([{ file: 'logs/app.log', line: 2, text: '2026-03-02T10:14:50Z database is going down' }]);
    const text = await services.text('troubleshoot', { error_message: trace });
    expect(text).toContain('| Solution: Start the database: npm run db.');
  });

  it('finds log lines by the names in an error without time', async () => {
    writeFileSync(join(folder, 'debug.log'), ['quiet', 'connect ECONNREFUSED once more', 'quiet'].join('\n'));
    const { log } = await troubleshoot('Error: connect ECONNREFUSED 127.0.0.1:5432');
    expect(log).toEqual([{ file: 'debug.log', line: 2, text: 'connect ECONNREFUSED once more' }]);
    const many = 20_000;
    writeFileSync(join(folder, 'debug.log'), `${'a quiet line of the log\n'.repeat(many)}ECONNREFUSED at last`);
    expect((await troubleshoot('Error: connect ECONNREFUSED 127.0.0.1:5432')).log).toEqual([
      { file: 'debug.log', line: many + 1, text: 'ECONNREFUSED at last' },
    ]);
  });

  it('reports that nothing is known, and refuses texts without an error', async () => {
    expect(await services.text('troubleshoot', { error_message: 'TypeError: x is not a function' })).toMatch(
      /^Nothing is known/,
    );
    for (const args of [{}, { error_message: ' ' }, { error_message: 7 }]) {
      await expect(services.call('troubleshoot', args)).rejects.toMatchObject({
        word: 'invalid_input',
        details: { path: 'arguments.error_message' },
      });
    }
  });

  it('offers a fix with the failure of any tool, by its cause', async () => {
    const tool = defineTool({
      name: 'upstream_query',
      title: 'A tool of another service',
      description: 'Fails.',
      effect: 'read',
      input: s.object({}),
      output: s.object({}),
      render: () => '',
      run: async () => {
        throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
      },
    });
    await services.registry.register({ id: 'upstream', title: 'Upstream', summary: 'Fails.', tools: () => [tool] });
    const fail = () =>
      services.call('upstream_query').then(
        () => Promise.reject(new Error('it did not fail')),
        (error: LoreError) => error,
      );
    expect((await fail()).advice).toEqual([]);
    await services.call('remediation_save', { error_msg: trace, solution: 'Start the database: npm run db.' });
    const { word, message, advice } = await fail();
    expect(word).toBe('internal');
    expect(message).not.toContain('ECONNREFUSED');
    expect(advice).toMatchObject([{ text: expect.stringContaining('Start the database: npm run db.') }]);
  });
});
