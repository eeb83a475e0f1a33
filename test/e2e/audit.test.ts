// lore audit on what a server wrote; and a disk that is full.
import { createHmac } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditFile } from '../../src/core/audit/chain.ts';
import { isOwnFile, protectOwnFiles } from '../../src/files/own.ts';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';
import { canMount, mountDisk, spawnAmongMounts } from '../support/mounts.ts';
import { type Message, StdioClient } from '../support/stdio-client.ts';

function createPlace() {
  const folder = createFolder('audit');
  const project = join(folder, 'project');
  mkdirSync(project);
  const env = { LORE_CONFIG: join(folder, 'config.json'), LORE_DB: join(folder, 'data', 'lore.db'), HOME: folder };
  const lore = (...args: string[]) => runLore(args, { env, cwd: project });
  return { folder, project, env, lore, log: join(folder, 'data', auditFile) };
}

describe('lore audit', () => {
  it('shows system calls and refusals of all processes', async () => {
    const { lore, project } = createPlace();
    expect((await lore('audit')).stdout).toContain('Nothing has been audited yet.');
    await lore('fs_stat', '.');
    await lore('fs_stat', '/etc/passwd');
    await lore('reg_read', 'HKCU\\A');
    await lore('remember', 'What is no business of the log.');
    const lines = JSON.parse((await lore('audit', '--json')).stdout) as object[];
    expect(lines).toMatchObject([
      { seq: 1, tool: 'fs_stat', outcome: 'ok', caller: 'local', folder: project },
      { seq: 2, tool: 'fs_stat', outcome: 'forbidden', arguments: '{"path":"/etc/passwd"}' },
      { seq: 3, tool: 'reg_read', outcome: 'forbidden' },
    ]);
    const { stdout } = await lore('audit', '--last', '1');
    expect(stdout).toMatch(/^3 {2}\d{4}-.*Z {2}forbidden {2}reg_read {2}local\n/);
    expect(await lore('audit', '--verify')).toMatchObject({ code: 0, stdout: '3 lines, unaltered.\n' });
    expect(await lore('audit', '--last', 'many')).toMatchObject({ code: 2 });
  });

  it('reports that there is nothing to verify, and whether a log is missing', async () => {
    const { lore, folder } = createPlace();
    expect(await lore('audit', '--verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to verify/),
    });
    await lore('fs_stat', '.');
    rmSync(join(folder, 'data'), { recursive: true });
    const { code, stdout } = await lore('audit', '--verify');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Nothing to verify: .*deleted/);
  });

  it('names the line that was changed', async () => {
    const { lore, log } = createPlace();
    for (let at = 0; at < 4; at++) await lore('fs_stat', '.');
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, lines.with(2, (lines[2] as string).replace('"ok"', '"no"')).join('\n'));
    expect(await lore('audit', '--verify')).toMatchObject({ code: 1, stdout: 'audit.jsonl, line 3: was changed\n' });
    writeFileSync(log, lines.toSpliced(1, 1).join('\n'));
    expect((await lore('audit', '--verify')).stdout).toBe('audit.jsonl, line 2: 1 line was removed before it\n');
    writeFileSync(log, `${lines.slice(0, 2).join('\n')}\n`);
    expect((await lore('audit', '--verify')).stdout).toBe('audit.jsonl, line 2: 2 lines were cut off after it\n');
  });

  it('notices that the log was deleted, replaced or forged', async () => {
    const { lore, log, folder } = createPlace();
    for (let at = 0; at < 2; at++) await lore('fs_stat', '.');
    const older = [readFileSync(log), readFileSync(`${dirname(log)}/audit.head`)] as const;
    await lore('fs_stat', '.');
    expect(await lore('audit', '--verify')).toMatchObject({ code: 0, stdout: '3 lines, unaltered.\n' });
    expect(statSync(join(folder, 'audit.key')).mode & 0o777).toBe(0o600);
    protectOwnFiles({ settingsFile: join(folder, 'config.json'), location: log });
    expect(isOwnFile(join(folder, 'audit.key'))).toBe(true);

    const [whole, head] = [readFileSync(log, 'utf8'), readFileSync(`${dirname(log)}/audit.head`)];
    const { seq, hash, ...rest } = JSON.parse(whole.trimEnd().split('\n')[2] as string);
    const body = JSON.stringify({ ...rest, seq: seq + 1, prev: hash });
    const forged = createHmac('sha256', 'guess').update(body).digest('hex');
    appendFileSync(log, `${body.slice(0, -1)},"hash":"${forged}"}\n`);
    expect(await lore('audit', '--verify')).toMatchObject({ code: 1, stdout: 'audit.jsonl, line 4: was changed\n' });

    writeFileSync(log, older[0]);
    writeFileSync(`${dirname(log)}/audit.head`, older[1]);
    const cutOff = { code: 1, stdout: 'audit.jsonl, line 2: 1 line was cut off after it\n' };
    expect(await lore('audit', '--verify')).toMatchObject(cutOff);

    for (const name of ['audit.jsonl', 'audit.head']) rmSync(join(dirname(log), name));
    const gone = { code: 1, stdout: 'audit.jsonl, line 0: 3 lines were cut off after it\n' };
    expect(await lore('audit', '--verify')).toMatchObject(gone);

    writeFileSync(log, whole);
    writeFileSync(`${dirname(log)}/audit.head`, head);
    expect(await lore('audit', '--verify')).toMatchObject({ code: 0 });
  });

  it.skipIf(!canMount)('refuses changes that cannot be logged, until there is space', async () => {
    const { folder, env, log, project } = createPlace();
    const data = join(folder, 'data');
    mkdirSync(data);
    const bin = join(root, 'bin/lore.cjs');
    const script = `cd '${project}' && exec '${process.execPath}' '${bin}' stdio`;
    const child = spawnAmongMounts([mountDisk(data, 600_000)], ['sh', '-c', script], {
      PATH: process.env.PATH,
      ...env,
    });
    const client = new StdioClient({ child, log: () => '' } as never);
    await client.request('initialize', { clientInfo: { name: 'test' } });
    const call = () => client.request('tools/call', { name: 'fs_stat', arguments: { path: '.' } });
    const done = { result: { content: [{ text: expect.stringContaining(': folder, ') }] } };
    expect(await call()).toMatchObject(done);
    // By way of the process, this side sees its disk.
    const inside = `/proc/${child.pid}/root${data}`;
    const ballast = join(inside, 'ballast');
    writeFileSync(ballast, '');
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(512));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
    const size = () => statSync(join(inside, auditFile)).size;
    let last: Message = {};
    let before = 0;
    // The page that the log has begun may still have room.
    for (let at = 0; at < 50; at++) {
      before = size();
      last = await call();
      if (last.error) break;
    }
    expect(last.error).toMatchObject({
      message: expect.stringContaining(`Cannot write audit log "${log}": the disk is full`),
      data: { code: 'unavailable', hint: 'Free some space; audited calls are refused until then.' },
    });
    expect(size()).toBe(before);
    rmSync(ballast);
    expect(await call()).toMatchObject(done);
    const { verifyAudit } = await import('../../src/core/audit/verify.ts');
    const { readAuditKeys } = await import('../../src/core/audit/key.ts');
    const keys = await readAuditKeys([folder]);
    expect((await verifyAudit(inside, { keys })).problems).toEqual([]);
    await client.end();
  });
});
