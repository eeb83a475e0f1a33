// Whatever is told, no secret reaches the disk: the raw bytes of everything a server and its commands have written are
// searched, the database's log of changes included; and every row of every table where the database is PostgreSQL.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hashOf } from '../../src/graph/create-node.ts';
import { importLines } from '../../src/graph/dump.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createServerDatabase } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { finish, runLore, spawnLore } from '../support/lore.ts';
import { findLeaks, readSecretCases, type SecretCase, secretsOf } from '../support/secrets.ts';
import { openServices } from '../support/services.ts';
import { StdioClient } from '../support/stdio-client.ts';

type CallTool = (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Sentences as people write them, with the password that must not be found afterwards. */
const sentences = [
  ["The admin's password is Xk29fjQpw.", 'Xk29fjQpw'],
  ['The staging database password is badger7velvet.', 'badger7velvet'],
  ['Login with user admin and password Otter-Piano-58.', 'Otter-Piano-58'],
  ['password: Tr0ub4dor&3xyz', 'Tr0ub4dor&3xyz', '3xyz'],
  ['Das Passwort für den Server lautet Qm47trWvz.', 'Qm47trWvz'],
  ['数据库密码是Vn83plKxa。', 'Vn83plKxa'],
] as const;

/** For the ways in that do not depend on what kind of secret it is. */
const few = 8;

let cases: SecretCase[];
let secrets: string[];
/** Known by their form alone, and short enough for a tag. */
let bare: string[];

beforeAll(async () => {
  const all = await readSecretCases();
  // The shortest are four digits long, which may stand anywhere by chance.
  const long = all.filter((one) => secretsOf(one).every((secret) => secret.length >= 8));
  const oneOfEach = (some: SecretCase[]) => [...new Map(some.map((one) => [one.labels[0]?.rule, one])).values()];
  cases = oneOfEach(long);
  // What stands in surroundings that any other secret may stand in needs none.
  bare = oneOfEach(long.filter(({ origin }) => origin.includes('/surroundings:'))).flatMap(secretsOf);
  expect(cases.length).toBeGreaterThanOrEqual(50);
  expect(bare.length).toBeGreaterThanOrEqual(30);
  secrets = [...cases.flatMap(secretsOf), ...bare, ...sentences.flatMap(([, ...hidden]) => hidden)];
});

/** Every way in, with a secret wherever a caller may put one. */
async function pour(call: CallTool): Promise<void> {
  const ids: string[] = [];
  for (const { text } of cases) {
    const { id } = await call('remember', { content: `Deploys need this setting: ${text}` });
    ids.push(id as string);
  }
  for (const [text] of sentences) await call('remember', { content: text });
  for (const [n, secret] of bare.entries()) {
    const content = `Gateway number ${n} was moved to rack ${n} last week.`;
    const tags = secret.length <= 64 ? [secret] : [];
    await call('remember', { content, source: secret, session: secret.slice(0, 200), tags });
  }
  for (const secret of bare.filter(({ length }) => length <= 64).slice(0, few)) {
    await call('remember', { content: 'Gateway number 1 was moved to rack 1 last week.', tags: [secret] });
    await call('context_link', { from: ids[0], kind: secret, to: ids[1] });
    await call('recall', { query: `what of ${secret}?` });
    await call('enhance', { prompt: `what of ${secret}?` });
    await call('learn', { content: 'We decided to use the blue gateway because it is fast.', source: secret });
  }
  await call('learn', { content: writeConversation() });
}

function writeConversation(): string {
  return cases
    .map(({ text }) => JSON.stringify({ role: 'user', content: `Remember that we always deploy with this: ${text}` }))
    .join('\n');
}

/** A dump as another program, or an older version, could have written it: nothing in it has been redacted. */
function writeDump(): string[] {
  const at = 1_700_000_000_000;
  const rows: unknown[] = [{ format: 'lorekeeper-graph-1' }];
  for (const [n, { text }] of cases.entries()) {
    const bareOne = bare[n % bare.length] as string;
    const data = JSON.stringify({ kind: 'semantic', knowledge: 'note', tags: [bareOne], note: text });
    const words = ['memory', `before: ${text}`, `Imported fact ${n}: ${text}`, data];
    rows.push({ node: [`n_in${n}`, 'p', ...words, 0.5, 1, bareOne, at, at, at, at, null, null, null, 'stale'] });
    rows.push({ edge: [`n_in${n}`, bareOne, 'n_in0', 'p', 1, JSON.stringify({ by: text }), at] });
    rows.push({
      change: [`chg_in${n}`, `n_in${n}`, 'p', at, bareOne, 'update', JSON.stringify({ validTo: 1, text })],
    });
  }
  return rows.map((row) => JSON.stringify(row));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('no secret is on disk', () => {
  const data = createFolder('data');
  const home = createFolder('person');
  const env = { XDG_DATA_HOME: data, XDG_CACHE_HOME: join(home, 'cache'), LORE_LOG_LEVEL: 'debug', HOME: home };

  function expectNoLeak(minimum: string[]): void {
    const files = [...listFiles(data), ...listFiles(join(home, 'cache'))];
    for (const name of minimum) expect(files.map((file) => file.slice(data.length + 1))).toContain(name);
    for (const file of files)
      expect({ file, leaks: findLeaks(readFileSync(file), secrets) }).toEqual({ file, leaks: [] });
  }

  it('after secrets were sent to a server, its hooks and its commands', async () => {
    mkdirSync(join(home, 'cache'), { recursive: true });
    const child = spawnLore(['stdio', '--structured'], env);
    onTestFinished(() => void child.kill('SIGKILL'));
    let log = '';
    child.stderr.on('data', (part: Buffer) => {
      log += part;
    });
    const client = new StdioClient({ child, log: () => log, stop: async () => null });
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't' } });
    await pour(async (name, args) => {
      const { result, error } = await client.request('tools/call', { name, arguments: args });
      expect({ name, error, result }).toMatchObject({ error: undefined, result: { structuredContent: {} } });
      return result?.structuredContent as Record<string, unknown>;
    });
    expectNoLeak(['lorekeeper/lore.db', 'lorekeeper/lore.db-wal', 'lorekeeper/lore.db-shm']);

    const transcript = join(home, 'transcript.jsonl');
    writeFileSync(
      transcript,
      cases
        .map(({ text }) => `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
        .join(''),
    );
    const input = JSON.stringify({ cwd: home, transcript_path: transcript, session_id: bare[0] });
    expect(await runLore(['hook', 'SessionEnd'], { input, env })).toMatchObject({ code: 0, stderr: '' });
    const dump = join(home, 'dump.jsonl');
    writeFileSync(dump, `${writeDump().join('\n')}\n`);
    const imported = await runLore(['import', dump], { env });
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const learned = await runLore(['learn'], { input: writeConversation(), env });
    expect(learned).toMatchObject({ code: 0 });
    expectNoLeak(['lorekeeper/lore.db', 'lorekeeper/lore.db-wal', 'lorekeeper/lore.db-shm']);

    const ended = finish(child);
    child.stdin.end();
    expect((await ended).code).toBe(0);
    expectNoLeak(['lorekeeper/lore.db']);
    const told = await runLore(['export'], { env });
    for (const [name, text] of Object.entries({ log, learned: learned.stdout, exported: told.stdout })) {
      expect({ name, leaks: findLeaks(Buffer.from(text), secrets) }).toEqual({ name, leaks: [] });
    }
    expect(told.stdout).toContain('[redacted:');
  });
});

describe('no secret is in PostgreSQL', () => {
  const database = createServerDatabase();
  afterAll(() => database.stop?.());

  it('in any row of any table', async () => {
    const services = await openServices(database, createFolder('project'));
    onTestFinished(() => services.close());
    await pour(services.call);
    const { store, worker, graph } = services.opened;
    expectNoLeakIn(await readTables(store));
    await worker.idle();
    async function* lines() {
      yield* writeDump();
    }
    await importLines(store, lines());
    await graph.reindex();
    const tables = await readTables(store);
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(['node', 'edge', 'change', 'operation', 'fresh']));
    expectNoLeakIn(tables);
    const [node] = await graph.getAll(['n_in0']);
    expect(node?.hash).toBe(hashOf('memory', node?.title ?? '', node?.text ?? ''));
  });

  function expectNoLeakIn(tables: Record<string, Buffer>): void {
    for (const [table, bytes] of Object.entries(tables)) {
      expect({ table, leaks: findLeaks(bytes, secrets) }).toEqual({ table, leaks: [] });
    }
  }

  async function readTables(store: Store): Promise<Record<string, Buffer>> {
    const names = await store.all<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    const tables: Record<string, Buffer> = {};
    for (const { name } of names) {
      const rows = await store.all<Record<string, unknown>>(
        sql([`select * from ${name}`] as unknown as TemplateStringsArray),
      );
      const cells = rows.flatMap((row) => Object.values(row));
      tables[name] = Buffer.concat(cells.map((cell) => (cell instanceof Uint8Array ? cell : Buffer.from(`${cell}\n`))));
    }
    return tables;
  }
});
