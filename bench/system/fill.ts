// Writes a journal of many entries with systemd's own tool.
import { journalEntry, journalMissing, writeJournal } from '../../test/support/journal.ts';

const units = ['ssh', 'cron', 'nginx', 'docker', 'app'];

export async function run({ journal, count }: { journal: string; count: number }): Promise<void> {
  if (journalMissing !== undefined) throw new Error(journalMissing);
  await writeJournal(journal, write(count));
}

function* write(count: number) {
  for (let n = 0; n < count; n++) {
    const unit = units[n % units.length] as string;
    yield journalEntry(n, {
      PRIORITY: n % 97 === 0 ? 3 : n % 11 === 0 ? 4 : 6,
      SYSLOG_IDENTIFIER: unit,
      _SYSTEMD_UNIT: `${unit}.service`,
      _PID: 1_000 + (n % 500),
      _COMM: unit,
      MESSAGE: `request ${n} served in ${n % 300} ms for client ${n % 1_000}`,
    });
  }
}
