// Pseudonyms in what the system's tools tell: stable, kept in files of their owner alone, and turned back only with them.
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSyslogReader } from '../../src/services/system/eventlog/syslog-reader.ts';
import { openKey } from '../../src/services/system/privacy/key.ts';
import { revealPseudonym } from '../../src/services/system/privacy/reveal.ts';
import { openEventLog } from '../support/eventlog.ts';
import { createFolder } from '../support/folder.ts';

const lines = [
  '2025-11-16T01:00:00Z gate sshd[9]: Failed password for bob from 203.0.113.7 port 22',
  '2025-11-16T01:00:01Z gate sshd[9]: Failed password for bob from 203.0.113.8 port 22',
  '2025-11-16T01:00:02Z gate postfix[9]: to=<carol@example.org>, relay=mx.example.org[203.0.113.7]:25',
];

async function open(isOn: boolean) {
  const folder = createFolder('syslog');
  writeFileSync(join(folder, 'syslog'), `${lines.join('\n')}\n`);
  let on = isOn;
  const opened = await openEventLog(createSyslogReader({ folder }), { pseudonyms: () => on });
  const file = (name: string) => join(opened.folder, name);
  return {
    ...opened,
    file,
    turn: (next: boolean) => {
      on = next;
    },
  };
}

const namesIn = (text: string): string[] => text.match(/\b(?:user|host|ip|mac|mail)-[0-9a-f]{8}\b/g) ?? [];

describe('pseudonyms', () => {
  it('are off until a person turns them on, with immediate effect', async () => {
    const { query, turn } = await open(false);
    expect(JSON.stringify(await query('syslog'))).toContain('bob from 203.0.113.8');
    turn(true);
    const told = JSON.stringify(await query('syslog'));
    for (const value of ['bob', '203.0.113', 'carol', 'example.org']) expect(told).not.toContain(value);
    expect(new Set(namesIn(told)).size).toBe(5);
  });

  it('are the same in every result, as text and data, and differ between installations', async () => {
    const [one, other] = [await open(true), await open(true)];
    const told = namesIn(JSON.stringify(await one.query('syslog')));
    expect(namesIn(JSON.stringify(await one.query('syslog')))).toEqual(told);
    expect(new Set(namesIn(await one.text('syslog')))).toEqual(new Set(told));
    const elsewhere = namesIn(JSON.stringify(await other.query('syslog')));
    expect(elsewhere).toHaveLength(told.length);
    expect(elsewhere.some((name) => told.includes(name))).toBe(false);
  });

  it('can be searched for, while a search cannot confirm real names', async () => {
    const { query } = await open(true);
    const [user] = namesIn((await query('syslog', { text: 'Failed password' })).entries[0]?.message as string);
    expect((await query('syslog', { text: user })).totalCount).toBe(2);
    expect((await query('syslog', { text: 'bob' })).totalCount).toBe(0);
    expect((await query('syslog', { text: '203.0.113.7' })).totalCount).toBe(0);
  });

  it('are revealed with the files beside the database', async () => {
    const { query, file } = await open(true);
    const { entries } = await query('syslog', { text: 'Failed' });
    const [user, ip] = namesIn(entries[0]?.message as string) as [string, string];
    expect(await revealPseudonym(file('lore.db'), user)).toEqual(['bob']);
    expect(await revealPseudonym(file('lore.db'), ip)).toEqual(['203.0.113.8']);
    await expect(revealPseudonym(file('lore.db'), 'user-00000000')).rejects.toMatchObject({ word: 'not_found' });
    await expect(revealPseudonym(join(createFolder('none'), 'lore.db'), user)).rejects.toMatchObject({
      word: 'not_found',
    });
    expect(readFileSync(file('pseudonyms.map'), 'utf8')).not.toMatch(/bob|203\.0\.113/);
    // What was only looked at and not told is not kept.
    expect(readFileSync(file('pseudonyms.map'), 'utf8')).not.toContain('mail-');
    if (process.platform === 'win32') return;
    for (const name of ['pseudonyms.key', 'pseudonyms.map']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  });

  it('apply to errors too', async () => {
    const { query } = await open(true);
    const refused = query('unit:mallory@example.org');
    await expect(refused).rejects.toMatchObject({
      word: 'not_found',
      message: expect.stringMatching(/mail-[0-9a-f]{8}/),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('mallory') });
  });

  it('fail when their key is unavailable', async () => {
    const { query, file } = await open(true);
    writeFileSync(file('pseudonyms.key'), 'short');
    await expect(query('syslog')).rejects.toMatchObject({ word: 'unavailable' });
  });

  it('share one key between concurrent processes', async () => {
    const file = join(mkdtempSync(join(createFolder('keys'), 'k')), 'pseudonyms.key');
    const keys = await Promise.all(Array.from({ length: 20 }, () => openKey(file)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  });
});
