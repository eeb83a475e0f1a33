// Bringing memories of other programs in: real files, the built command line, and what recall says afterwards.
import { mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type OpenGraph, openGraph } from '../../src/graph/open.ts';
import { sql } from '../../src/store/sql.ts';
import { callOnce } from '../support/app.ts';
import { createFolder } from '../support/folder.ts';
import { finish, runLore, spawnLore } from '../support/lore.ts';

interface Imported {
  kept: number;
  merged: number;
  known: number;
  relations: number;
  left: Record<string, number>;
  formats: Record<string, number>;
  memories?: { text: string }[];
}

let folder: string;
let project: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = createFolder('import');
  project = realpathSync(createFolder('project'));
  const data = createFolder('db');
  env = { LORE_DB: join(data, 'lore.db'), LORE_CONFIG: join(data, 'config.json') };
});

function write(name: string, content: string | readonly object[]): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : content.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

const lore = (args: readonly string[], input?: string, cwd = project) =>
  runLore(args, { env, cwd, ...(input !== undefined && { input }) });

async function load(path: string, ...more: string[]): Promise<Imported> {
  const { code, stdout, stderr } = await lore(['import', path, '--json', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

interface Recalled {
  id: string;
  text: string;
  context?: string;
  created: string;
  kind: string;
  source?: string;
}

async function recall(query: string, cwd = project, more: object = {}): Promise<Recalled[]> {
  const { structured } = await callOnce(env, cwd, 'recall', { query, ...more });
  return (structured as { memories: Recalled[] }).memories;
}

async function openDatabase(): Promise<OpenGraph> {
  const opened = await openGraph(env.LORE_DB as string);
  onTestFinished(() => opened.close());
  return opened;
}

const said = (content: string, timestamp: string, more: object = {}) => ({
  type: 'user',
  sessionId: 's1',
  timestamp,
  cwd: '/dev/null/gone',
  message: { role: 'user', content },
  ...more,
});

const memoryServer = [
  { type: 'entity', name: 'Ada_L', entityType: 'person', observations: ['Speaks fluent French', 'Reviews on Mondays'] },
  { type: 'entity', name: 'Acme', entityType: 'company', observations: ['Acme ships on Fridays.'] },
  { type: 'relation', from: 'Ada_L', to: 'Acme', relationType: 'works_at' },
  { type: 'relation', from: 'Ada_L', to: 'Nobody', relationType: 'knows' },
];

describe('lore import', () => {
  it("imports the reference memory server's graph once", async () => {
    const path = write('memory.jsonl', memoryServer);
    const left = { 'relation without its entities': 1 };
    expect(await load(path)).toMatchObject({ kept: 3, merged: 0, known: 0, relations: 1, left });
    expect(await load(path)).toMatchObject({ kept: 0, merged: 0, known: 3, left });
    expect((await recall('who speaks French?'))[0]).toMatchObject({ text: 'Ada_L: Speaks fluent French' });
    const { stdout } = await lore(['query_context', 'Ada_L French', '--json']);
    const { nodes, edges } = JSON.parse(stdout);
    const find = (title: string) => nodes.filter((node: { title?: string }) => node.title === title);
    const ids = (title: string) => find(title).map(({ id }: { id: string }) => id);
    const works = edges.filter(({ kind }: { kind: string }) => kind === 'works_at');
    expect(works).toHaveLength(1);
    expect(ids('Ada_L')).toContain(works[0].from);
    expect(ids('Acme')).toContain(works[0].to);
    expect(edges).toContainEqual(expect.objectContaining({ kind: 'mentions', to: works[0].from }));
  });

  it('imports Markdown notes with their dates', async () => {
    const path = write(
      'MEMORY.md',
      '# Memory\n\n## Build\n\n- Tests run with pnpm vitest run.\n\n## Ports\n\n- 8443\n',
    );
    utimesSync(path, new Date('2026-03-04T00:00:00Z'), new Date('2026-03-04T00:00:00Z'));
    expect(await load(path)).toMatchObject({ kept: 2, formats: { markdown: 1 } });
    expect((await recall('how do I run the tests?'))[0]).toMatchObject({
      text: 'Tests run with pnpm vitest run.',
      context: 'Build',
      source: 'MEMORY.md',
      created: '2026-03-04T00:00:00Z',
    });
    expect(await load(path)).toMatchObject({ kept: 0, known: 2 });
  });

  it('merges known memories and reports it', async () => {
    await callOnce(env, project, 'remember', { content: 'Tests run with pnpm vitest run.' });
    const path = write('MEMORY.md', '- tests run with pnpm vitest run\n- Deploys go out on Tuesdays.\n');
    expect(await load(path)).toMatchObject({ kept: 1, merged: 1 });
    const { stdout } = await lore(['import', path]);
    expect(stdout).toContain('Stored 0, merged 1, already known 1\n');
  });

  it('learns from transcripts with their dates and projects', async () => {
    const elsewhere = realpathSync(createFolder('elsewhere'));
    const path = write('-p/one.jsonl', [
      { type: 'summary', summary: 'x', leafUuid: '1' },
      said('Our primary database is MySQL 8.', '2026-02-03T10:00:00.000Z'),
      said('The meta service runs on Erlang.', '2026-02-03T10:00:00.000Z', { isMeta: true }),
      said('The side service runs on Haskell.', '2026-02-03T10:00:00.000Z', { isSidechain: true }),
      said('The blob service runs on Fortran.', '2026-02-03T10:00:00.000Z', { type: 'api-request-blob' }),
      {
        ...said('', '2026-02-03T10:00:01.000Z'),
        message: { content: [{ type: 'tool_result', content: 'The tool service runs on COBOL.' }] },
      },
      said('Deploys go out on Tuesdays.', '2026-02-03T11:00:00.000Z', { cwd: elsewhere }),
    ]);
    expect(await load(path)).toMatchObject({ kept: 2, formats: { 'claude-code': 1 } });
    expect(await recall('which database do we use?')).toMatchObject([
      {
        text: 'Our primary database is MySQL 8.',
        created: '2026-02-03T10:00:00Z',
        source: 'conversation s1',
      },
    ]);
    expect(await recall('Erlang Haskell Fortran COBOL')).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('runs on') }),
    );
    expect(await recall('when do we deploy?', elsewhere)).toMatchObject([{ text: 'Deploys go out on Tuesdays.' }]);
    expect(await load(path)).toMatchObject({ kept: 0, merged: 0, known: 2 });
  });

  it('ranks a newer statement before an older one that is imported later', async () => {
    await callOnce(env, project, 'remember', { content: 'Our primary database is PostgreSQL 15.' });
    const path = write('t.jsonl', [said('Our primary database is MySQL 8.', '2025-02-03T10:00:00.000Z')]);
    expect(await load(path)).toMatchObject({ kept: 1 });
    expect((await recall('which database do we use?')).map(({ text }) => text)).toEqual([
      'Our primary database is PostgreSQL 15.',
      'Our primary database is MySQL 8.',
    ]);
    expect(
      (await recall('which database do we use?', project, { as_of: '2025-06-01' })).map(({ text }) => text),
    ).toEqual(['Our primary database is MySQL 8.']);
  });

  it("imports KuzuMemory's export with its times", async () => {
    const path = write(
      'memories_backup_20261101_100000.json',
      JSON.stringify(
        {
          schema_version: '1.0',
          memories: [
            {
              id: '1',
              content: 'Kafka keeps events for replay.',
              created_at: '2026-01-02T03:04:05Z',
              memory_type: 'episodic',
              knowledge_type: 'architecture',
              source_type: 'conversation',
            },
            { id: '2', content: '[commit] feat: x', source_type: 'git_sync' },
          ],
          archived: [],
        },
        null,
        2,
      ),
    );
    expect(await load(path)).toMatchObject({ kept: 1, left: { 'git history': 1 }, formats: { kuzu: 1 } });
    expect(await recall('why Kafka?')).toMatchObject([{ created: '2026-01-02T03:04:05Z', kind: 'semantic' }]);
    expect(await load(path)).toMatchObject({ kept: 0, known: 1 });
  });

  it('imports a whole folder, each file in its format', async () => {
    write('memory/MEMORY.md', '- [Role](role.md) — who the user is\n');
    write('memory/role.md', '---\ndescription: who the user is\n---\n\nThe user writes Go every day.\n');
    write('s.jsonl', [said('Deploys go out on Tuesdays.', '2026-02-03T10:00:00.000Z')]);
    write('graph.jsonl', memoryServer);
    write('package.json', '{"name":"x"}');
    write('node_modules/x/README.md', 'Not this one, please.');
    expect(await load(folder)).toMatchObject({
      kept: 5,
      formats: { markdown: 2, 'claude-code': 1, 'mcp-memory': 1 },
      left: { pointer: 1, 'unknown form': 1 },
    });
  });

  it('reads standard input, and its own exports', async () => {
    const { stdout } = await lore(['import', '-'], '- Deploys go out on Tuesdays.\n');
    expect(stdout).toContain('Stored 1, merged 0, already known 0\n');
    const dump = await lore(['export']);
    env = { ...env, LORE_DB: join(createFolder('db'), 'other.db') };
    expect(await lore(['import', '-', '--json'], dump.stdout)).toMatchObject({ code: 0, stderr: '' });
    expect(await recall('when do we deploy?')).toMatchObject([{ text: 'Deploys go out on Tuesdays.' }]);
    const again = await lore(['import', write('lore.jsonl', dump.stdout)]);
    expect(again.stdout).toBe('0 rows added, 0 nodes indexed\n');
    expect((await lore(['import', write('lore.jsonl', dump.stdout), '--dry-run'])).stdout).toMatch(/^\d+ rows in/);
  });

  it('previews an import and stores nothing', async () => {
    const notes = write('MEMORY.md', '- Deploys go out on Tuesdays.\n');
    const talk = write('t.jsonl', [said('Our primary database is MySQL 8.', '2026-02-03T10:00:00.000Z')]);
    for (const [path, text] of [
      [notes, 'Deploys go out on Tuesdays.'],
      [talk, 'Our primary database is MySQL 8.'],
    ] as const) {
      expect(await load(path, '--dry-run')).toMatchObject({ kept: 1, memories: [{ text }] });
    }
    const { store } = await openDatabase();
    expect(await store.one(sql`select count(*) as n from node`)).toEqual({ n: 0 });
    expect(await store.one(sql`select count(*) as n from operation`)).toEqual({ n: 0 });
  });

  it('never stores a secret', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const text = `The deploy token of staging is ${secret}.`;
    write('MEMORY.md', `- ${text}\n`);
    write('t.jsonl', [said(text, '2026-02-03T10:00:00.000Z')]);
    write('k.json', JSON.stringify([{ content: `Kuzu knows ${secret}.`, memory_type: 'semantic' }]));
    write('m.jsonl', [{ type: 'entity', name: secret, entityType: secret, observations: [`Opens ${secret} doors`] }]);
    const { stdout } = await lore(['import', folder, '--dry-run']);
    expect(stdout).not.toContain(secret);
    await load(folder);
    const dump = await lore(['export']);
    expect(dump.stdout).toContain('[redacted:github-token]');
    expect(dump.stdout).not.toContain(secret);
    const { store } = await openDatabase();
    const operations = await store.all<{ input: string; result: string }>(sql`select * from operation`);
    expect(operations).toHaveLength(1);
    expect(JSON.stringify(operations)).not.toContain(secret);
  });

  it('continues after it was killed', async () => {
    const count = 400;
    const observations = Array.from(
      { length: count },
      (_, at) => `Case ${at} is kept in drawer ${at * 7} of shelf ${at}.`,
    );
    const path = write('memory.jsonl', [{ type: 'entity', name: 'Archive', entityType: 'place', observations }]);
    const { store } = await openDatabase();
    const kept = async () =>
      Number((await store.one<{ n: number }>(sql`select count(*) as n from node where kind = 'memory'`))?.n);
    const child = spawnLore(['import', path], env, project);
    const finished = finish(child);
    await expect.poll(kept, { interval: 5 }).toBeGreaterThan(20);
    child.kill('SIGKILL');
    await finished;
    const before = await kept();
    expect(before).toBeLessThan(count);
    expect(await load(path)).toMatchObject({ kept: count - before, merged: 0, known: before });
    expect(await kept()).toBe(count);
  });

  it.each([
    [['import'], 2, 'lore: Missing argument <file|folder|->'],
    [['import', 'nonsense.md'], 3, 'lore: Cannot read "nonsense.md": there is no such file'],
    [['import', '.', '--from', 'word'], 2, 'lore: Cannot import from "word": there is no such format'],
    [['import', '.'], 2, 'lore: Cannot import ".": its format is not recognised'],
  ])('refuses %j', async (args, status, told) => {
    const { code, stdout, stderr } = await lore(args);
    expect({ code, stdout, told: stderr.split('\n')[0] }).toEqual({ code: status, stdout: '', told });
  });

  it('refuses a file in another format than --from', async () => {
    const { code, stderr } = await lore(['import', write('notes.md', 'Words.\n'), '--from', 'lore']);
    expect(code).toBe(2);
    expect(stderr).toContain('lore: Cannot import line 1: it is not JSON');
  });
});
