// A database that cannot be used, as a person at the command line meets it: one sentence, the status of its word, no wait.
import { copyFileSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { loadDriver } from '../../src/store/sqlite/driver.ts';
import { root } from '../support/bundle.ts';
import { writeMemories } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { type Finished, finish, runLore } from '../support/lore.ts';
import { canMount, mountDisk, mountReadOnly, spawnAmongMounts } from '../support/mounts.ts';

const DatabaseSync = loadDriver();

let whole: string;
const endings: (() => void)[] = [];

beforeAll(async () => {
  whole = join(createFolder('whole'), 'lore.db');
  await writeMemories(whole, 200);
});
afterAll(() => {
  for (const end of endings) end();
});

function copyWhole(): string {
  const path = join(createFolder('broken'), 'lore.db');
  copyFileSync(whole, path);
  return path;
}

function overwrite(path: string, at: number, length: number): string {
  writeSync(openSync(path, 'r+'), Buffer.alloc(length, 0xa5), 0, length, at);
  return path;
}

async function listen(isOpen: boolean): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  if (isOpen) endings.push(() => server.close());
  else server.close();
  return `postgres://lore@127.0.0.1:${port}/lore`;
}

/** Each breaks a database in its way and says where it is. */
const broken: [name: string, status: number, state: string, make: () => string | Promise<string>][] = [
  ['a strange file', 8, 'it is damaged, or not a database', () => overwrite(copyWhole(), 0, 100)],
  [
    'a file cut short',
    8,
    'the file is damaged',
    () => {
      const path = copyWhole();
      truncateSync(path, statSync(path).size >> 1);
      return path;
    },
  ],
  ['a damaged page', 8, 'the file is damaged', () => overwrite(copyWhole(), 20 * 4096, 4096 * 40)],
  ['a folder', 2, 'it is a folder', () => createFolder('broken')],
  [
    'a newer database',
    4,
    'a newer version of Lorekeeper has migrated it',
    async () => {
      const path = copyWhole();
      const store = await openStore(path);
      await store.run(sql`insert into migration (id, applied_at) values ('graph/99', 0)`);
      await store.close();
      return path;
    },
  ],
  [
    'a locked database',
    8,
    'another process holds it',
    () => {
      const path = copyWhole();
      const other = new DatabaseSync(path);
      other.exec('pragma locking_mode = exclusive; begin exclusive; delete from migration where false; commit');
      endings.push(() => other.close());
      return path;
    },
  ],
  ['a server that is not running', 8, 'it cannot be reached', () => listen(false)],
  ['a server that never answers', 8, 'it cannot be reached', () => listen(true)],
];

describe.each(broken)('%s', (_, status, state, make) => {
  let env: Record<string, string>;
  let told: string;
  beforeAll(async () => {
    const db = await make();
    env = { LORE_DB: db, LORE_DB_WAIT_MS: '300' };
    told = `Cannot use database "${db}": ${state}`;
  });

  it('fails a command with its sentence and its status', async () => {
    const { code, stderr } = await runLore(['export', join(createFolder('out'), 'lore.jsonl')], { env });
    const [sentence, hint, ...rest] = stderr.split('\n');
    expect({ code, sentence }).toEqual({ code: status, sentence: `lore: ${told}` });
    expect(hint).toMatch(/\w/);
    expect(rest).toEqual(['']);
  });

  it('is found by doctor', async () => {
    const { code, stdout, stderr } = await runLore(['doctor', '--port', '0', '--json'], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toContainEqual({ check: 'database', ok: false, found: told });
  });
});

describe('a server on a broken database', () => {
  it('reports the problem and continues', async () => {
    const db = overwrite(copyWhole(), 0, 100);
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}\n';
    const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}\n';
    const begin = `${JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })}\n`;
    const { code, stdout } = await runLore(['stdio'], { input: begin + call + ping, env: { LORE_DB: db } });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answer = (id: number) => answers.find((candidate) => candidate.id === id)?.result;
    expect(answer(1).content[0].text).toContain(`Store: Cannot use database "${db}": it is damaged, or not a database`);
    expect(answer(2)).toEqual({});
    expect(code).toBe(0);
  });
});

describe.skipIf(!canMount)('among mounts', () => {
  function runAmong(mounts: string[], args: string[], db: string): Promise<Finished> {
    const home = createFolder('home');
    const env = { PATH: process.env.PATH, HOME: home, LORE_CONFIG: join(home, 'config.json'), LORE_DB: db };
    return finish(spawnAmongMounts(mounts, [process.execPath, join(root, 'bin/lore.cjs'), ...args], env));
  }

  async function exportFrom(db: string): Promise<string> {
    const file = join(createFolder('out'), 'lore.jsonl');
    await runLore(['export', file], { env: { LORE_DB: db } });
    return file;
  }

  const sentence = (db: string, state: string) => `lore: Cannot use database "${db}": ${state}`;

  it('an unwritable folder is reported', async () => {
    const folder = createFolder('broken');
    const fresh = join(folder, 'lore.db');
    const refused = await runAmong([mountReadOnly(folder)], ['export'], fresh);
    expect(refused.stderr.split('\n')[0]).toBe(sentence(fresh, 'its folder cannot be written'));
    expect(refused.code).toBe(5);
    const below = join(folder, 'sub', 'lore.db');
    const unmade = await runAmong([mountReadOnly(folder)], ['export'], below);
    expect(unmade.stderr.split('\n')[0]).toBe(sentence(below, 'its folder cannot be created'));
    expect(unmade.code).toBe(5);
    copyFileSync(whole, fresh);
    const kept = await runAmong([mountReadOnly(folder)], ['export'], fresh);
    expect(kept.stderr.split('\n')[0]).toBe(sentence(fresh, 'its folder cannot be written'));
    expect(readFileSync(fresh).equals(readFileSync(whole))).toBe(true);
  });

  it('a file that cannot be written can be read', async () => {
    const db = copyWhole();
    const { code, stdout } = await runAmong([mountReadOnly(db)], ['export'], db);
    expect({ code, lines: stdout.split('\n').length > 400 }).toEqual({ code: 0, lines: true });
    const refused = await runAmong([mountReadOnly(db)], ['import', await exportFrom(whole)], db);
    expect(refused.stderr.split('\n')[0]).toBe(sentence(db, 'it cannot be written'));
    expect(refused.code).toBe(5);
  });

  it('a full disk refuses an import whole', async () => {
    const large = join(createFolder('large'), 'lore.db');
    await writeMemories(large, 1_000);
    const file = await exportFrom(large);
    const folder = createFolder('broken');
    const db = join(folder, 'lore.db');
    const lore = `'${process.execPath}' '${join(root, 'bin/lore.cjs')}'`;
    const script = `LORE_DB='${db}' ${lore} import '${file}' 2>'${file}.err'; echo $? >'${file}.code'`;
    const { stdout } = await runAmong([mountDisk(folder, 700_000), `{ ${script}; }`], ['export'], db);
    expect(readFileSync(`${file}.err`, 'utf8').split('\n')).toContain(sentence(db, 'the disk is full'));
    expect(readFileSync(`${file}.code`, 'utf8').trim()).toBe('8');
    expect(stdout.trim().split('\n')).toEqual([JSON.stringify({ format: 'lorekeeper-graph-2' })]);
  });
});
