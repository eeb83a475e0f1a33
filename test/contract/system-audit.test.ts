// The audit log: whatever happens to its file afterwards is found and named, and many processes write one chain.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditEntry } from '../../src/core/audit/audit.ts';
import { auditFile, auditHeadFile, writeHead, writeLine } from '../../src/core/audit/chain.ts';
import { type AuditKey, auditKeyFile, auditKeyFolders, openAuditKey, readAuditKeys } from '../../src/core/audit/key.ts';
import * as log from '../../src/core/audit/verify.ts';
import { hashHex } from '../../src/core/crypto.ts';
import { openAuditFile } from '../../src/store/audit/file.ts';
import {
  type AuditRecord,
  advanceAuditRecord,
  auditRecordMigration,
  readAuditRecord,
} from '../../src/store/audit/record.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { bundle } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

const entry: AuditEntry = { caller: 'local', folder: '/p', tool: 'fs_stat', outcome: 'ok' };

async function writeLog(count: number, maxBytes = 1 << 20): Promise<string> {
  const folder = createFolder('audit');
  await appendTo(folder, count, maxBytes);
  return folder;
}

async function appendTo(folder: string, count: number, maxBytes = 1 << 20): Promise<void> {
  const audit = openAuditFile(folder, { maxBytes });
  for (let number = 1; number <= count; number++) await audit.append({ ...entry, arguments: `{"n":${number}}` });
  await audit.close();
}

const stranger: AuditKey = { id: 'f'.repeat(16), secret: new Uint8Array(32) };

/** Changes the lines of the newest file behind the log's back. */
function tamper(folder: string, change: (lines: string[], key: AuditKey) => string[], key = stranger): void {
  const path = join(folder, auditFile);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(
    path,
    change(lines, key)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

const verifyAudit = async (folder: string, recorded?: AuditRecord) =>
  log.verifyAudit(folder, { keys: await readAuditKeys([folder]), recorded });
const readLastLines = async (folder: string, count: number) =>
  log.readLastLines(folder, count, await readAuditKeys([folder]));

async function problemsOf(folder: string): Promise<string[]> {
  return (await verifyAudit(folder)).problems.map(({ line, problem }) => `${line}: ${problem}`);
}

describe('the audit log', () => {
  it('is as it was written, and its newest lines can be read', async () => {
    const folder = await writeLog(30);
    expect(await verifyAudit(folder)).toEqual({ lines: 30, problems: [], more: false });
    const lines = await readLastLines(folder, 3);
    expect(lines.map(({ seq, arguments: args }) => [seq, args])).toEqual([
      [28, '{"n":28}'],
      [29, '{"n":29}'],
      [30, '{"n":30}'],
    ]);
  });

  it('is readable by its owner only', async () => {
    const folder = await writeLog(1);
    expect(statSync(join(folder, auditFile)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, auditHeadFile)).mode & 0o777).toBe(0o600);
  });

  it('continues the chain in a new file when one is full', async () => {
    const folder = await writeLog(60, 2_000);
    const files = readdirSync(folder).filter((name) => /^audit-\d+\.jsonl$/.test(name));
    expect(files.length).toBeGreaterThan(3);
    expect(await verifyAudit(folder)).toEqual({ lines: 60, problems: [], more: false });
    expect((await readLastLines(folder, 50)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 11),
    );
    rmSync(join(folder, files.sort()[1] as string));
    expect((await verifyAudit(folder)).problems).toEqual([
      { file: files[2], line: 1, problem: expect.stringMatching(/^\d+ lines were removed before it$/) },
    ]);
  });

  it.each<[string, (lines: string[], key: AuditKey) => string[], string[]]>([
    ['a changed line', (l) => l.with(4, (l[4] as string).replace('"ok"', '"no"')), ['5: was changed']],
    ['a changed hash', (l) => l.with(4, (l[4] as string).replace(/.{3}"}$/, 'fff"}')), ['5: was changed']],
    ['nonsense for a line', (l) => l.with(4, 'nonsense'), ['5: was changed']],
    ['an empty line', (l) => l.with(4, ''), ['5: was changed']],
    ['a line that is put in', (l) => l.toSpliced(4, 0, 'nonsense'), ['5: was changed']],
    ['a removed line', (l) => l.toSpliced(4, 1), ['5: 1 line was removed before it']],
    ['several removed lines', (l) => l.toSpliced(4, 3), ['5: 3 lines were removed before it']],
    ['the first line removed', (l) => l.slice(1), ['1: 1 line was removed before it']],
    ['the last line removed', (l) => l.slice(0, -1), ['9: 1 line was cut off after it']],
    ['all lines removed', () => [], ['0: 10 lines were cut off after it']],
    [
      'a line twice',
      (l) => l.toSpliced(5, 0, l[4] as string),
      ['6: is out of order: it is number 5, where 6 should be'],
    ],
    [
      'two lines in another order',
      (l) => l.with(4, l[5] as string).with(5, l[4] as string),
      ['5: 1 line was removed before it', '6: is out of order: it is number 5, where 7 should be'],
    ],
    ['a line written anew with the key', (l, key) => forge(l, 4, key), ['5: was changed, and its hash recomputed']],
    ['the last line written anew', (l, key) => forge(l, 9, key), ['10: was changed, and its hash recomputed']],
    ['the first line written anew', (l, key) => forge(l, 0, key), ['1: was changed, and its hash recomputed']],
    [
      'a line written anew with another key',
      (l) => forge(l, 9, stranger),
      ['10: cannot be verified: the key it is signed with is missing', '10: was changed, and its hash recomputed'],
    ],
    [
      'a line added with another key',
      (l) => [...l, forge(l, 9, stranger, 1)[9] as string],
      ['11: cannot be verified: the key it is signed with is missing'],
    ],
    [
      'a line added without a key',
      (l) => [...l, unsign(l, 9, 1)],
      ['11: is not signed, although the line above it is'],
    ],
  ])('names %s', async (_, change, problems) => {
    const folder = await writeLog(10);
    tamper(folder, change, await openAuditKey([folder]));
    expect(await problemsOf(folder)).toEqual(problems);
    // What comes later does not cover it up.
    await appendTo(folder, 2);
    expect((await problemsOf(folder)).length).toBeGreaterThan(0);
  });

  it('names a line that ends in its middle', async () => {
    const folder = await writeLog(10);
    const path = join(folder, auditFile);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -50));
    expect(await problemsOf(folder)).toEqual(['10: was cut off']);
    await appendTo(folder, 1);
    expect(await problemsOf(folder)).toEqual(['10: was changed']);
  });

  it('reports a deleted head, at once and later', async () => {
    const folder = await writeLog(10);
    tamper(folder, (lines) => lines.slice(0, 7));
    rmSync(join(folder, auditHeadFile));
    expect(await problemsOf(folder)).toEqual([
      '7: the file audit.head is missing: lines after it may have been cut off',
    ]);
    await appendTo(folder, 1);
    expect(await problemsOf(folder)).toEqual([
      '8: the file audit.head was missing before it: lines above it may have been cut off',
    ]);
  });

  it('keeps a complete line and drops half a line of a killed process', async () => {
    const folder = await writeLog(5);
    const head = join(folder, auditHeadFile);
    copyFileSync(head, `${head}.kept`);
    await appendTo(folder, 1);
    copyFileSync(`${head}.kept`, head);
    appendFileSync(join(folder, auditFile), '{"seq":7,"time":"20');
    expect(await problemsOf(folder)).toEqual([]);
    await appendTo(folder, 1);
    expect(await verifyAudit(folder)).toEqual({ lines: 7, problems: [], more: false });
  });

  it('is one chain when eight processes append at once', async () => {
    const program = await bundle('test/crash/auditor.ts', { format: 'esm', packages: 'external' });
    const folder = createFolder('chain');
    const [processes, count] = [8, 25];
    const children = Array.from({ length: processes }, (_, at) =>
      spawn(process.execPath, [program, folder, `p${at}`, String(count), '8000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    for (const child of children) child.stdout?.resume();
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).toEqual(Array(processes).fill(0));
    expect(await verifyAudit(folder)).toEqual({ lines: processes * count, problems: [], more: false });
    const lines = await readLastLines(folder, processes * count);
    for (let at = 0; at < processes; at++) {
      const own = lines.filter(({ caller }) => caller === `p${at}`).map((line) => Number(line.arguments));
      expect(own).toEqual(Array.from({ length: count }, (_, number) => number));
    }
  });

  it('keeps what it acknowledged when its writers are killed', async () => {
    const program = await bundle('test/crash/auditor.ts', { format: 'esm', packages: 'external' });
    const folder = createFolder('killed');
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [program, folder, `r${round}`, '100000', '20000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (part: Buffer) => {
        said += part;
        if (said.split('\n').length > 10) child.kill('SIGKILL');
      });
      await once(child, 'close');
      const acknowledged = said.split('\n').length - 1;
      const lines = await readLastLines(folder, 100_000);
      expect(lines.filter(({ caller }) => caller === `r${round}`).length).toBeGreaterThanOrEqual(acknowledged);
    }
    await appendTo(folder, 1);
    expect((await verifyAudit(folder)).problems).toEqual([]);
  });

  it('reports why it cannot be written', async () => {
    const folder = join(createFolder('blocked'), 'file');
    writeFileSync(folder, '');
    const audit = openAuditFile(folder);
    await expect(audit.append(entry)).rejects.toMatchObject({
      word: 'unavailable',
      message: `Cannot write audit log "${join(folder, auditFile)}": it cannot be written`,
    });
    await audit.close();
    expect(existsSync(join(folder, auditFile))).toBe(false);
  });
});

/** The line says something else, or follows the one that is there; its own hash is right. */
function forge(lines: string[], at: number, by: AuditKey, after: 0 | 1 = 0): string[] {
  const { seq, time, prev, hash, key: _, ...rest } = JSON.parse(lines[at] as string);
  const above = after ? { seq, hash } : { seq: seq - 1, hash: prev };
  return lines.with(at, writeLine({ ...rest, outcome: 'forbidden' }, above, time, by).text.trimEnd());
}

/** As versions before the key wrote it. */
function unsign(lines: string[], at: number, after: 0 | 1 = 0): string {
  const { seq, time, prev, hash, key: _, ...rest } = JSON.parse(lines[at] as string);
  const body = JSON.stringify({ seq: seq + after, time, ...rest, prev: after ? hash : prev });
  return `${body.slice(0, -1)},"hash":"${hashHex(body)}"}`;
}

describe('the key of the audit log', () => {
  it('is created once, for its owner only, in the first usable folder', async () => {
    const [settings, data] = [join(createFolder('settings'), 'lorekeeper'), createFolder('data')];
    const keys = await Promise.all(Array.from({ length: 5 }, () => openAuditKey([settings, data])));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect(statSync(join(settings, auditKeyFile)).mode & 0o777).toBe(0o600);
    expect(readdirSync(settings)).toEqual([auditKeyFile]);
    expect(auditKeyFolders(join(data, 'missing', 'config.json'), data)).toEqual([data]);
    const blocked = join(data, 'file');
    writeFileSync(blocked, '');
    const elsewhere = await openAuditKey([join(blocked, 'settings'), data]);
    expect((await readAuditKeys([settings, data])).has(elsewhere.id)).toBe(true);
    writeFileSync(join(data, auditKeyFile), 'short');
    await expect(openAuditFile(data).append(entry)).rejects.toMatchObject({
      message: `Cannot use the audit key "${join(data, auditKeyFile)}": it has 5 bytes instead of 32`,
    });
  });

  it('is reported when it is lost, and replaced by a new one', async () => {
    const folder = await writeLog(3);
    rmSync(join(folder, auditKeyFile));
    expect(await problemsOf(folder)).toEqual(['1: cannot be verified: the key it is signed with is missing']);
    await appendTo(folder, 2);
    expect(await verifyAudit(folder)).toMatchObject({ lines: 5, problems: [{ line: 1 }] });
    expect((await readLastLines(folder, 5)).length).toBe(5);
  });

  it('signs the lines that follow those of an earlier version', async () => {
    const folder = await writeLog(3);
    let prev = '0'.repeat(64);
    tamper(folder, (lines) =>
      lines.map((_, at) => {
        const text = unsign(lines.with(at, (lines[at] as string).replace(/"prev":"\w+"/, `"prev":"${prev}"`)), at);
        prev = JSON.parse(text).hash;
        return text;
      }),
    );
    const path = join(folder, auditFile);
    const size = statSync(path).size;
    writeFileSync(join(folder, auditHeadFile), writeHead({ seq: 3, hash: prev, size }));
    expect(await verifyAudit(folder)).toEqual({ lines: 3, problems: [], more: false });
    await appendTo(folder, 2);
    expect(await verifyAudit(folder)).toEqual({ lines: 5, problems: [], more: false });
    tamper(folder, (lines) => lines.with(1, (lines[1] as string).replace('"ok"', '"no"')));
    expect(await problemsOf(folder)).toEqual(['2: was changed']);
  });
});

describe('the end of the audit log in the database', () => {
  const place = 'here';

  /** A log whose end the database knows. */
  async function writeRecorded(count: number) {
    const folder = await writeLog(count);
    const store = await openSqlite(join(folder, 'lore.db'));
    onTestFinished(() => store.close());
    await migrate(store, [auditRecordMigration]);
    const record = async () => {
      const [last] = await readLastLines(folder, 1);
      return advanceAuditRecord(store, { folder, place, head: last as AuditRecord });
    };
    const check = async () => {
      const report = await verifyAudit(folder, await readAuditRecord(store, place));
      return report.problems.map(({ line, problem }) => `${line}: ${problem}`);
    };
    expect(await record()).toBe(true);
    return { folder, record, check };
  }

  const names = [auditFile, auditHeadFile];
  const keep = (folder: string) => {
    for (const name of names) copyFileSync(join(folder, name), join(folder, `${name}.kept`));
  };
  const bringBack = (folder: string) => {
    for (const name of names) copyFileSync(join(folder, `${name}.kept`), join(folder, name));
  };

  it('may be behind the log', async () => {
    const { folder, record, check } = await writeRecorded(5);
    await appendTo(folder, 300);
    expect(await check()).toEqual([]);
    expect(await record()).toBe(true);
    expect(await check()).toEqual([]);
  });

  it('shows that all of it was deleted, then and after further lines', async () => {
    const { folder, record, check } = await writeRecorded(5);
    for (const name of names) rmSync(join(folder, name));
    expect(await check()).toEqual(['0: 5 lines were cut off after it']);
    await appendTo(folder, 2);
    expect(await check()).toEqual(['2: 3 lines were cut off after it']);
    await appendTo(folder, 8);
    expect(await record()).toBe(false);
    expect(await check()).toEqual(['5: is not the line that the database recorded']);
  });

  it('shows that an older log was put in its place, with its head', async () => {
    const { folder, record, check } = await writeRecorded(5);
    keep(folder);
    await appendTo(folder, 4);
    await record();
    bringBack(folder);
    expect(await check()).toEqual(['5: 4 lines were cut off after it']);
    await appendTo(folder, 6);
    expect(await record()).toBe(false);
    expect(await check()).toEqual(['9: is not the line that the database recorded']);
  });

  it('shows that its end was cut off and the head made to fit', async () => {
    const { folder, check } = await writeRecorded(5);
    tamper(folder, (lines) => lines.slice(0, 3));
    const [last] = await readLastLines(folder, 1);
    const { size } = statSync(join(folder, auditFile));
    writeFileSync(join(folder, auditHeadFile), writeHead({ ...(last as AuditRecord), size }));
    expect(await check()).toEqual(['3: 2 lines were cut off after it']);
  });

  it('follows several processes along one chain', async () => {
    const { folder, record, check } = await writeRecorded(1);
    const one = async () => {
      await appendTo(folder, 5);
      await record();
    };
    await Promise.all([one(), one(), one()]);
    expect(await record()).toBe(true);
    expect(await check()).toEqual([]);
  });
});
