// What eventlog_query and eventlog_list_logs promise, over a real journal that systemd's own tool wrote.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJournalReader } from '../../src/services/system/eventlog/journal-reader.ts';
import { injections, messages, openEventLog, readAll } from '../support/eventlog.ts';
import { createFolder } from '../support/folder.ts';
import { type JournalFields, journalctlMissing, journalEntry, layJournal, machine } from '../support/journal.ts';

describe.skipIf(journalctlMissing !== undefined)(
  `the journal${journalctlMissing ? ` (skipped: ${journalctlMissing})` : ''}`,
  () => {
    const folder = join(createFolder('journal'), 'journal');
    const reader = createJournalReader({ arguments: ['--directory', folder] });
    const count = 250;
    beforeAll(async () => {
      const entries = Array.from({ length: count }, (_, n): JournalFields => {
        const unit = n % 2 === 0 ? 'ssh.service' : 'nginx.service';
        return journalEntry(n, {
          SYSLOG_IDENTIFIER: unit.replace('.service', ''),
          _SYSTEMD_UNIT: unit,
          PRIORITY: n % 50 === 0 ? 3 : n % 10 === 0 ? 4 : 6,
          MESSAGE: `request ${n} of Größe 50% (a+b)`,
        });
      });
      const odd: JournalFields[] = [
        { _TRANSPORT: 'kernel', SYSLOG_IDENTIFIER: 'kernel', PRIORITY: 2, MESSAGE: 'Kernel panic\nsecond line' },
        { SYSLOG_IDENTIFIER: 'raw', PRIORITY: 7, MESSAGE: Buffer.from([0x66, 0xff, 0xfe, 0x00, 0x66]) },
        { SYSLOG_IDENTIFIER: 'systemd', MESSAGE_ID: '39f53479d3a045ac8e11786248231fbf', MESSAGE: 'Started.' },
        { SYSLOG_IDENTIFIER: 'sshd', SYSLOG_FACILITY: 10, MESSAGE: 'Accepted publickey for bob from 10.0.0.7 port 22' },
        { SYSLOG_IDENTIFIER: '--file=x', MESSAGE: 'a source that looks like an option' },
        { _COMM: 'bare', MESSAGE: 'x'.repeat(100_000) },
      ].map((fields, n) => journalEntry(count + n, fields as JournalFields));
      const boot = 'fedcba9876543210fedcba9876543210';
      const last = journalEntry(count + odd.length, {
        _BOOT_ID: boot,
        __MONOTONIC_TIMESTAMP: 5,
        MESSAGE: 'after the restart',
      });
      await layJournal(folder, 'services', [...entries, ...odd, last]);
    });
    const total = count + 7;

    it('is returned newest first, in pages, by cursor and by offset', async () => {
      const { query } = await openEventLog(reader);
      const first = await query('System', { limit: 100 });
      expect(first).toMatchObject({
        totalCount: total,
        totalBound: 'at_most',
        nextOffset: 100,
        page: 1,
        pageSize: 100,
      });
      expect(first.entries[0]).toMatchObject({
        logName: 'system',
        level: 'INFORMATION',
        message: 'after the restart',
        eventId: 0,
      });
      const pages = await readAll((args) => query('System', args), { limit: 100 });
      expect(pages.map(({ entries, page }) => [page, entries.length])).toEqual([
        [1, 100],
        [2, 100],
        [3, total - 200],
      ]);
      expect(pages.at(-1)).toMatchObject({ totalCount: total, page: 3 });
      expect(pages.at(-1)).not.toHaveProperty('totalBound');
      expect(pages.at(-1)).not.toHaveProperty('nextOffset');
      const ids = pages.flatMap(({ entries }) => entries.map(({ id }) => id));
      expect(new Set(ids).size).toBe(total);
      const times = pages.flatMap(({ entries }) => entries.map(({ timestamp }) => timestamp));
      expect(times).toEqual([...times].sort().reverse());
      const second = await query('System', { limit: 100, offset: 100 });
      expect(second).toMatchObject({ page: 2, nextOffset: 200 });
      expect(second.entries).toEqual(pages[1]?.entries);
    });

    it('has logs for its parts, boots and units', async () => {
      const { query, logs } = await openEventLog(reader);
      expect(await logs()).toEqual(
        expect.arrayContaining([
          'system',
          'kernel',
          'security',
          'user',
          'boot:0',
          'boot:-1',
          'unit:ssh.service',
          'unit:nginx.service',
        ]),
      );
      expect(messages(await query('kernel'))).toEqual(['Kernel panic\nsecond line']);
      expect(messages(await query('security'))).toEqual(['Accepted publickey for bob from 10.0.0.7 port 22']);
      expect(await query('unit:ssh.service', { limit: 1_000 })).toMatchObject({ totalCount: count / 2 });
      expect(await query('UNIT:ssh', { limit: 1_000 })).toMatchObject({ totalCount: count / 2 });
      expect(messages(await query('boot:0'))).toEqual(['after the restart']);
      expect(await query(`boot:${machine}`, { limit: 1_000 })).toMatchObject({ totalCount: total - 1 });
      await expect(query('unit:none.service')).rejects.toMatchObject({ word: 'not_found' });
      await expect(query('boot:-7')).rejects.toMatchObject({ word: 'not_found' });
    });

    it.each([
      [{ minLevel: 'CRITICAL' }, 1],
      [{ minLevel: 'Error' }, 6],
      [{ minLevel: 'warning' }, 26],
      [{ minLevel: 'INFORMATION' }, total - 1],
      [{ minLevel: 'VERBOSE' }, total],
      [{ source: 'nginx' }, count / 2],
      [{ source: 'bare' }, 1],
      [{ source: '--file=x' }, 1],
      [{ source: 'x=y + _TRANSPORT=kernel' }, 0],
      [{ eventId: '39f53479d3a045ac8e11786248231fbf' }, 1],
      [{ eventId: 4625 }, 0],
      [{ text: 'REQUEST 77 ' }, 1],
      [{ text: 'größe 50% (a+b)' }, count],
      [{ text: '50% (a+b)' }, count],
      [{ text: '.*' }, 0],
      [{ text: '--file=/etc/passwd' }, 0],
      [{ text: '\\E(?i)started' }, 0],
      [{ since: '2023-11-14T22:13:30Z', until: '2023-11-14T22:13:39.500Z' }, 10],
      [{ since: '@1700000010', until: '@1700000019.5', minLevel: 'WARNING' }, 1],
      [{ source: 'ssh', minLevel: 'ERROR', text: 'request' }, 5],
    ])('distinguishes %j', async (filter, expected) => {
      const { query } = await openEventLog(reader);
      const pages = await readAll((args) => query('System', args), { limit: 60, ...filter });
      expect(pages.at(-1)).toMatchObject({ totalCount: expected });
      expect(pages.flatMap(({ entries }) => entries)).toHaveLength(expected);
    });

    it('shows bytes as text, truncates long messages and maps every priority', async () => {
      const { query } = await openEventLog(reader);
      const raw = (await query('system', { source: 'raw' })).entries[0];
      expect(raw).toMatchObject({ level: 'VERBOSE', message: 'f\ufffd\ufffd\0f' });
      const long = (await query('system', { source: 'bare' })).entries[0]?.message as string;
      expect(long).toMatch(/ \[… truncated: 100000 characters\]$/);
      expect(long.length).toBeLessThan(8_100);
    });

    it('fences log texts, which are not instructions', async () => {
      const { text } = await openEventLog(reader);
      expect(await text('security')).toContain('data read from a log of this machine');
    });

    it.each(injections)('refuses %j as a log', async (name) => {
      const { query } = await openEventLog(reader);
      await expect(query(name)).rejects.toSatisfy((error: { word: string; details: { path: string } }) => {
        return ['not_found', 'invalid_input'].includes(error.word) && error.details.path === 'arguments.logName';
      });
    });

    it.each([
      ['source', 'a\nb'],
      ['source', 'a\0b'],
      ['text', 'a\0b'],
      ['text', 'a\nb'],
    ])('refuses control characters in %s', async (key, value) => {
      const { query } = await openEventLog(reader);
      await expect(query('system', { [key]: value })).rejects.toMatchObject({
        word: 'invalid_input',
        details: { path: `arguments.${key}` },
      });
    });

    it.each([
      ['nonsense', 'not a cursor'],
      [Buffer.from('["x",0,"--file=/etc/passwd"]').toString('base64url'), 'another query'],
    ])('refuses the cursor %s', async (cursor) => {
      const { query } = await openEventLog(reader);
      await expect(query('system', { cursor })).rejects.toMatchObject({
        word: 'invalid_input',
        details: { path: 'arguments.cursor' },
      });
    });

    it('refuses a changed cursor, and one of another query', async () => {
      const { query } = await openEventLog(reader);
      const next = (await query('system', { limit: 1 })).next_cursor as string;
      await expect(query('system', { cursor: next, minLevel: 'ERROR' })).rejects.toThrow('another query');
      const [seal, offset] = JSON.parse(Buffer.from(next, 'base64url').toString());
      for (const place of ['--file=/etc/passwd', 's=0 --root=/', `s=${machine}`, '\n']) {
        const cursor = Buffer.from(JSON.stringify([seal, offset, place])).toString('base64url');
        await expect(query('system', { cursor })).rejects.toMatchObject({ word: 'invalid_input' });
      }
    });

    it('lists only the logs that a person allowed', async () => {
      const { query, logs } = await openEventLog(reader, { logs: () => ['kernel', 'unit:*'] });
      expect((await logs()).every((name) => name === 'kernel' || name.startsWith('unit:'))).toBe(true);
      expect((await query('unit:ssh')).entries.length).toBe(100);
      await expect(query('System')).rejects.toMatchObject({
        word: 'forbidden',
        details: { path: 'arguments.logName' },
      });
      await expect(query('boot:0')).rejects.toMatchObject({ word: 'forbidden' });
    });

    it('stops a slow search with partial results, and continues there', async () => {
      const { query } = await openEventLog(reader, {}, 1e-9);
      // Letters that journalctl is not asked to look for are looked for here.
      const args = { text: 'Größe', limit: 1, since: '@1700000240' };
      expect(await query('system', args)).toMatchObject({ incomplete: true, entries: [], totalBound: 'at_least' });
      const pages = await readAll((next) => query('system', next), args);
      expect(pages.flatMap(({ entries }) => entries)).toHaveLength(10);
    });

    it('is not detected if there is none', async () => {
      const empty = createJournalReader({ arguments: ['--directory', createFolder('empty')] });
      const { signal } = new AbortController();
      expect(await empty.isThere(signal)).toBe(false);
      expect(await reader.isThere(signal)).toBe(true);
    });
  },
);
