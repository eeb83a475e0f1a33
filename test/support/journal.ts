// A real journal, written with systemd's own tool: entries in its export format go in, a .journal file comes out. Tests
// read compressed copies of such files, since few machines have the tool and most have journalctl.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

export type JournalFields = Record<string, string | number | Buffer>;

const places = ['/lib/systemd/systemd-journal-remote', '/usr/lib/systemd/systemd-journal-remote'];
const tool = process.env.JOURNAL_REMOTE ?? places.find((place) => existsSync(place));

/** Why no journal can be read here, or nothing. */
export const journalctlMissing =
  spawnSync('journalctl', ['--version']).status === 0 ? undefined : 'journalctl is not installed';

/** Why no journal can be written here, or nothing. */
export const journalMissing = tool === undefined ? 'systemd-journal-remote is not installed' : journalctlMissing;

export const machine = '0123456789abcdef0123456789abcdef';
const firstMicros = 1_700_000_000_000_000;

/** With what every entry has; a second apart from the one before. */
export function journalEntry(number: number, fields: JournalFields): JournalFields {
  return {
    __REALTIME_TIMESTAMP: firstMicros + number * 1_000_000,
    __MONOTONIC_TIMESTAMP: 1_000 + number * 1_000_000,
    _BOOT_ID: machine,
    _MACHINE_ID: machine,
    _HOSTNAME: 'testhost',
    _TRANSPORT: 'syslog',
    PRIORITY: 6,
    ...fields,
  };
}

/** Lays a copy of the journal `name`; with LORE_PIN=1 it is first written anew from the entries. */
export async function layJournal(folder: string, name: string, entries: Iterable<JournalFields>): Promise<void> {
  const [file, copy] = [join(folder, 'system.journal'), new URL(`journals/${name}.journal.gz`, import.meta.url)];
  mkdirSync(folder, { recursive: true });
  if (!process.env.LORE_PIN) return writeFileSync(file, gunzipSync(readFileSync(copy)));
  await writeJournal(folder, entries);
  writeFileSync(copy, gzipSync(readFileSync(file), { level: 9 }));
}

export async function writeJournal(folder: string, entries: Iterable<JournalFields>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const child = spawn(tool as string, ['--compress=no', '--output', join(folder, 'system.journal'), '-'], {
    stdio: ['pipe', 'ignore', 'pipe'],
    // Hashes that every journalctl can read.
    env: { ...process.env, SYSTEMD_JOURNAL_KEYED_HASH: '0' },
  });
  let complaint = '';
  child.stderr.on('data', (part: Buffer) => {
    complaint = (complaint + part).slice(-2_000);
  });
  const ended = once(child, 'close');
  let batch: Buffer[] = [];
  for (const entry of entries) {
    batch.push(exportEntry(entry));
    if (batch.length < 500) continue;
    if (!child.stdin.write(Buffer.concat(batch))) await once(child.stdin, 'drain');
    batch = [];
  }
  child.stdin.end(Buffer.concat(batch));
  const [status] = await ended;
  if (status !== 0) throw new Error(`systemd-journal-remote ended with ${status}: ${complaint}`);
}

/** A value with line ends or bytes goes after its length. */
function exportEntry(fields: JournalFields): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    if (!Buffer.isBuffer(value) && !bytes.includes(10)) parts.push(Buffer.from(`${name}=`), bytes, Buffer.from('\n'));
    else {
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(bytes.length));
      parts.push(Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n'));
    }
  }
  return Buffer.concat([...parts, Buffer.from('\n')]);
}
