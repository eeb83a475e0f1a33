// Purging from the terminal: afterwards no file has a byte of the text, backups included, and the audit log has the ids alone.
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callOnce } from '../support/app.ts';
import { createFolder } from '../support/folder.ts';
import { runLore, spawnLore } from '../support/lore.ts';

const secret = 'Zqxlamp-42';

function createPlace() {
  const folder = createFolder('project');
  const data = join(folder, 'data');
  mkdirSync(data);
  const env = { LORE_DB: join(data, 'lore.db'), LORE_CONFIG: join(folder, 'config.json'), XDG_DATA_HOME: data };
  const run = (...args: string[]) => runLore(args, { env, cwd: folder });
  const lore = async (...args: string[]) => (await run(...args)).stdout;
  const json = async (...args: string[]) => JSON.parse(await lore(...args, '--json'));
  const remember = async (content: string) =>
    (await callOnce(env, folder, 'remember', { content })).structured as { id: string };
  /** Files that have the secret, in whatever case. */
  const holding = (place = folder): string[] =>
    readdirSync(place).flatMap((name) => {
      const path = join(place, name);
      if (statSync(path).isDirectory()) return holding(path);
      if (!statSync(path).isFile()) return [];
      return readFileSync(path, 'latin1').toLowerCase().includes(secret.toLowerCase().slice(0, 7)) ? [name] : [];
    });
  return { folder, data, env, run, lore, json, remember, holding };
}

describe('lore purge', () => {
  it('erases an entry from the database, its history, its backups and running servers', async () => {
    const { folder, data, env, run, lore, holding, remember } = createPlace();
    const { id } = await remember(`Login with user admin and the word ${secret}, kept in src/login.ts.`);
    await remember('The seal prefers herring.');
    await lore('backup', join(folder, 'first.db'));
    await lore('backup', join(folder, 'second.db'));
    renameSync(join(folder, 'second.db'), join(folder, 'moved.db'));
    await lore('export', join(folder, 'dump.jsonl'));
    await lore('edit', id, '--text', 'Login is described in src/login.ts.');
    await lore('forget', id);
    const server = createServer(env, folder);
    await server.begin();
    expect(await server.recall('what does the seal prefer?')).toContain('herring');
    expect(holding().sort()).toEqual(expect.arrayContaining(['dump.jsonl', 'first.db', 'lore.db', 'moved.db']));

    const asked = await run('purge', id);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await run('purge', id, '--yes', '--read-only')).code).toBe(5);
    expect((await run('purge', 'these words are nowhere', '--yes')).code).toBe(3);
    const { code, stdout } = await run('purge', id.slice(0, 20), '--yes');
    expect(stdout).toMatch(/^Purged 1 entry from the database and 1 backup\.\n/);
    expect(stdout).toMatch(/Not cleaned: \S+second\.db: it no longer exists/);
    expect(stdout).toMatch(/Not cleaned: \S+dump\.jsonl: it is an export/);
    expect(code).toBe(1);
    expect(holding().sort()).toEqual(['dump.jsonl', 'moved.db']);
    expect((await run('show', id)).code).toBe(3);
    expect(await server.recall('login admin')).not.toContain(secret);
    expect(await lore('recall', 'what does the seal prefer?')).toContain('herring');
    const kept = await runLore(['recall', 'seal'], { env: { ...env, LORE_DB: join(folder, 'first.db') }, cwd: folder });
    expect(kept.stdout).toContain('herring');

    const log = JSON.parse(await lore('audit', '--json'));
    expect(JSON.stringify(log)).toContain(id);
    expect(holding(data)).toEqual([]);
    expect((await run('audit', '--verify')).code).toBe(0);
  });

  it('finds entries that contain the words verbatim, and deletes only earlier texts of edited ones', async () => {
    const { run, lore, holding, remember } = createPlace();
    const { id: fixed } = await remember(`The lamp is called ${secret}.`);
    await lore('edit', fixed, '--text', 'The lamp has a name.');
    const { id } = await remember(`Ask for   ${secret.toUpperCase()} at the desk.`);
    await lore('checkpoint_save', `Half done: ask for ${secret}.`);
    const { code, stderr } = await run('purge', secret.toLowerCase(), '--yes');
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`${id} {2}memory {2}Ask for`));
    expect(stderr).toMatch(new RegExp(`${fixed} {2}memory, earlier texts only`));
    expect(holding()).toEqual([]);
    expect(await lore('show', fixed)).toContain('The lamp has a name.');
    expect(await lore('checkpoint_list')).toContain('There are no checkpoints');
    expect(await run('purge', '--finish')).toMatchObject({ code: 0, stdout: 'Cleaned the database.\n' });
  });

  it('treats an identifier as words, unless it begins like an id', async () => {
    const { run, remember } = createPlace();
    await remember('The variable is called db_zqxlamp.');
    expect(await run('purge', 'db_zqxlamp', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Purged 1/),
    });
    const { id } = await remember('The seal prefers herring.');
    const note = await remember(`See ${id} for what it eats.`);
    expect((await run('purge', id, '--yes')).code).toBe(0);
    expect((await run('purge', id, '--yes')).code).toBe(3);
    expect((await run('show', note.id)).code).toBe(0);
  });

  it('names entries that still hold the text', async () => {
    const { run, lore, remember } = createPlace();
    const { id } = await remember('Ask for the green lamp at the desk.');
    await lore('checkpoint_save', 'Half done. Ask for the green lamp at the desk. Then go.', '--name', 'lamp');
    expect((await run('purge', id, '--yes')).stderr).toMatch(
      /Not deleted, although they contain the same text: cp_\w+ \(checkpoint\)/,
    );
  });

  it('deletes the entries that can be purged, and names those that cannot', async () => {
    const { run, lore, remember } = createPlace();
    await lore('skill_save', '--name', 'lamp', '--description', 'Lamps', '--content', 'Ask for the green lamp.');
    await remember('The green lamp is at the desk.');
    const both = await run('purge', 'green lamp', '--yes');
    expect(both).toMatchObject({ code: 0, stdout: 'Purged 1 entry from the database.\n' });
    expect(both.stderr).toMatch(/Not deleted, although they contain the same text: skl_\w+ \(skill\)/);
    const none = await run('purge', 'green lamp', '--yes');
    expect(none.code).toBe(3);
    expect(none.stderr).toMatch(/only entries that cannot be purged contain these words\nskl_\w+ \(skill\)/);
  });

  it('forgets a backup that was deleted', async () => {
    const { folder, run, lore, remember } = createPlace();
    const { id } = await remember('One.');
    await lore('backup', join(folder, 'gone.db'));
    rmSync(join(folder, 'gone.db'));
    expect((await run('purge', id, '--yes')).stdout).toContain('gone.db: it no longer exists');
    const { id: next } = await remember('Two.');
    expect((await run('purge', next, '--yes')).stdout).toBe('Purged 1 entry from the database.\n');
  });
});

/** A server that has been asked, and so has the index in memory. */
function createServer(env: Record<string, string>, cwd: string) {
  const child = spawnLore(['stdio'], env, cwd);
  onTestFinished(async () => {
    child.stdin.end();
    await once(child, 'close');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const send = async (method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })}\n`);
    for (;;) {
      const { value } = await lines.next();
      if (JSON.parse(value).id === last) return value;
    }
  };
  const clientInfo = { name: 'test', version: '1' };
  return {
    begin: () => send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    recall: (query: string) => send('tools/call', { name: 'recall', arguments: { query } }),
  };
}
