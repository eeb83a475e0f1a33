// The event log of machines without a journal: syslog's files as rsyslog writes and logrotate rotates them, and the kernel's
// own ring where this machine lets it be read.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { joinReaders } from '../../src/services/system/eventlog/choose.ts';
import { createKernelRingReader, readRing } from '../../src/services/system/eventlog/kernel-ring.ts';
import { createSyslogReader } from '../../src/services/system/eventlog/syslog-reader.ts';
import { injections, messages, openEventLog, readAll } from '../support/eventlog.ts';
import { createFolder } from '../support/folder.ts';

function createLogs() {
  const folder = createFolder('syslog');
  return { folder, path: (name: string) => join(folder, name), reader: createSyslogReader({ folder }) };
}

/** `count` lines with ISO dates, a second apart. */
function writeLines(from: number, count: number): string {
  const line = (n: number) => `${new Date(1_700_000_000_000 + n * 1000).toISOString()} host app[7]: line ${n}\n`;
  return Array.from({ length: count }, (_, n) => line(from + n)).join('');
}

describe('syslog files', () => {
  it('show no line of a logged private key, whatever the range', async () => {
    const { path, reader } = createLogs();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim().split('\n');
    const lines = [...key, `sha256 ${'0123456789abcdef'.repeat(4)}`, '0123456789abcdef'.repeat(4), 'done'];
    const start = 1_700_000_000_000;
    const dated = lines.map((line, at) => `${new Date(start + at * 1000).toISOString()} host app[7]: ${line}`);
    writeFileSync(path('syslog'), `${dated.join('\n')}\n`);
    const { query } = await openEventLog(reader);
    const pages = [await query('syslog'), await query('syslog', { limit: 12 })];
    pages.push(await query('syslog', { text: (key[5] as string).slice(0, 10) }));
    const shown = pages.flatMap(({ entries }) => entries.map(({ message }) => message));
    for (const line of key.slice(1, -1)) expect(shown.join('\n')).not.toContain(line);
    expect(shown).toContain('0123456789abcdef'.repeat(4));
    expect(shown).toContain('done');
  });

  it('are read in both date formats and RFC 5424, with messages of several lines', async () => {
    const { path, reader } = createLogs();
    const lines = [
      'Nov 15 23:59:58 host CRON[812]: (bob) CMD (true)',
      'Nov 16 00:00:01 host kernel: [ 12.5] usb 1-1: device not accepting address 5, error -71',
      '2025-11-16T01:02:03.456789+01:00 host sshd[99]: Failed password for bob from 10.0.0.7 port 22 ssh2',
      '  at Object.<anonymous> (/srv/app.js:1:1)',
      '<11>1 2025-11-16T03:04:05Z host su 12 ID47 [x@1 a="b c\\]"][y@2] something said',
      'Nov 16 04:05:06 host no tag here',
    ];
    writeFileSync(path('syslog'), `${lines.join('\n')}\n`);
    const mtime = new Date(2025, 10, 16, 5).getTime() / 1000;
    utimesSync(path('syslog'), mtime, mtime);
    const { query } = await openEventLog(reader);
    const { entries } = await query('System');
    expect(entries.map(({ level, source, message }) => [level, source, message])).toEqual([
      ['INFORMATION', 'syslog', 'no tag here'],
      ['ERROR', 'su', 'something said'],
      ['ERROR', 'sshd', `Failed password for bob from 10.0.0.7 port 22 ssh2\n${lines[3]}`],
      ['ERROR', 'kernel', '[ 12.5] usb 1-1: device not accepting address 5, error -71'],
      ['INFORMATION', 'CRON', '(bob) CMD (true)'],
    ]);
    expect(entries.map(({ timestamp }) => timestamp)).toEqual([
      new Date(2025, 10, 16, 4, 5, 6).toISOString(),
      '2025-11-16T03:04:05.000Z',
      '2025-11-16T00:02:03.456Z',
      new Date(2025, 10, 16, 0, 0, 1).toISOString(),
      new Date(2025, 10, 15, 23, 59, 58).toISOString(),
    ]);
  });

  it('have no year: a December before a January is the year before', async () => {
    const { path, reader } = createLogs();
    writeFileSync(path('messages'), 'Dec 31 23:59:59 host a: old\nJan  1 00:00:01 host a: newer\n');
    const mtime = new Date(2025, 0, 1, 1).getTime() / 1000;
    utimesSync(path('messages'), mtime, mtime);
    const { query } = await openEventLog(reader);
    expect((await query('system')).entries.map(({ timestamp }) => new Date(timestamp).getFullYear())).toEqual([
      2025, 2024,
    ]);
  });

  it('include rotated files, compressed or not', async () => {
    const { path, reader } = createLogs();
    const { query } = await openEventLog(reader);
    const unpacked = createFolder('unpacked');
    vi.stubEnv('TMPDIR', unpacked);
    onTestFinished(() => void vi.unstubAllEnvs());
    writeFileSync(path('syslog.3.gz'), gzipSync(writeLines(0, 500)));
    writeFileSync(path('syslog.2.gz'), gzipSync(writeLines(500, 500)));
    writeFileSync(path('syslog.1'), writeLines(1_000, 500));
    writeFileSync(path('syslog'), writeLines(1_500, 100));
    const pages = await readAll((args) => query('syslog', args), { limit: 300 });
    const told = pages.flatMap(messages);
    expect(told).toEqual(Array.from({ length: 1_600 }, (_, n) => `line ${1_599 - n}`));
    expect(new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(1_600);
    expect(pages.at(-1)).toMatchObject({ totalCount: 1_600, page: 6 });
    expect(messages(await query('syslog', { offset: 1_590, limit: 100 }))).toEqual(
      Array.from({ length: 10 }, (_, n) => `line ${9 - n}`),
    );
    expect(await query('syslog', { text: 'LINE 15', since: '2023-11-14T22:38:00Z', limit: 1_000 })).toMatchObject({
      totalCount: 100,
    });
    // What was unpacked to be read backward is gone.
    expect(readdirSync(unpacked)).toEqual([]);
  });

  it('may be rotated, compressed and written to between two pages', async () => {
    const { path, reader } = createLogs();
    writeFileSync(path('auth.log'), writeLines(0, 300));
    const { query } = await openEventLog(reader);
    const first = await query('security', { limit: 100 });
    renameSync(path('auth.log'), path('auth.log.1'));
    writeFileSync(path('auth.log'), writeLines(300, 50));
    const second = await query('security', { limit: 100, cursor: first.next_cursor });
    expect(messages(second)[0]).toBe('line 199');
    rmSync(path('auth.log.1'));
    writeFileSync(path('auth.log.2.gz'), gzipSync(writeLines(0, 300)));
    appendFileSync(path('auth.log'), writeLines(350, 5));
    const third = await query('security', { limit: 100, cursor: second.next_cursor });
    expect(messages(third)).toEqual(Array.from({ length: 100 }, (_, n) => `line ${99 - n}`));
    rmSync(path('auth.log.2.gz'));
    await expect(query('security', { limit: 100, cursor: second.next_cursor })).rejects.toMatchObject({
      word: 'invalid_input',
    });
  });

  it('are read from the end, only as far as needed', async () => {
    const { path, reader } = createLogs();
    writeFileSync(path('syslog'), `${'x'.repeat(5_000_000)}\n${writeLines(0, 10)}`);
    const { query } = await openEventLog(reader);
    expect(messages(await query('syslog', { limit: 3 }))).toEqual(['line 9', 'line 8', 'line 7']);
    expect((await query('syslog', { limit: 100 })).entries).toHaveLength(10);
  });

  it('that are damaged or forbidden fail with our messages', async () => {
    const { path, reader } = createLogs();
    writeFileSync(path('syslog.1.gz'), 'this is not compressed');
    const { query } = await openEventLog(reader);
    await expect(query('syslog')).rejects.toMatchObject({
      word: 'unavailable',
      message: expect.stringMatching(/damaged$/),
    });
  });

  it.each(injections)('are not reached by %j', async (name) => {
    const { path, reader } = createLogs();
    writeFileSync(path('syslog'), writeLines(0, 1));
    symlinkSync('/etc/passwd', path('shadow'));
    const { query } = await openEventLog(joinReaders(reader, createKernelRingReader()));
    await expect(query(name)).rejects.toMatchObject({ details: { path: 'arguments.logName' } });
  });

  it('are listed if they exist', async () => {
    const { path, reader } = createLogs();
    for (const name of ['syslog', 'auth.log.1', 'passwd', 'kern.log.txt']) writeFileSync(path(name), '');
    const { logs } = await openEventLog(reader);
    expect(await logs()).toEqual(['syslog', 'auth']);
  });
});

describe("the kernel's ring", () => {
  it('is returned with levels and times', () => {
    const text =
      '<6>[    0.000000] Linux version\n<3>[   12.345678] disk error\nmore of it\n<12>[   13.000000] said by a program\n<6>[   13.000000] at once\n';
    expect(readRing(text, 1_700_000_000_000).map(({ entry }) => entry)).toMatchObject([
      {
        id: 0,
        level: 'INFORMATION',
        source: 'kernel',
        message: 'Linux version',
        timestamp: '2023-11-14T22:13:20.000Z',
      },
      { id: 12_345_678, level: 'ERROR', message: 'disk error\nmore of it', timestamp: '2023-11-14T22:13:32.345Z' },
      { id: 13_000_000, level: 'WARNING', message: 'said by a program' },
      { id: 13_000_001, message: 'at once', timestamp: '2023-11-14T22:13:33.000Z' },
    ]);
  });

  const canRead = existsSync('/dev/kmsg') && spawnSync('dmesg', ['-r']).stdout?.length > 0;
  it.skipIf(!canRead)('of this machine is read with dmesg, in pages (skipped if that is forbidden)', async () => {
    const { query } = await openEventLog(createKernelRingReader());
    const whole = await query('kernel', { limit: 10_000 });
    expect(whole.entries.length).toBeGreaterThan(0);
    const limit = Math.ceil(whole.entries.length / 3);
    const pages = await readAll((args) => query('kernel', args), { limit });
    expect(pages.flatMap(messages).slice(-limit)).toEqual(messages(whole).slice(-limit));
  });
});
