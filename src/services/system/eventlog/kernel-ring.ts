// The kernel's ring of messages, with dmesg, for machines that keep them nowhere else. It is small: all of it is read.
import { uptime } from 'node:os';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { runProgram } from '../../../core/program/program.ts';
import { levelOfPriority } from './entry.ts';
import { cursorError, cutMessage, type FoundEntry, type LogReader } from './reader.ts';

const maxBytes = 64 * 1024 * 1024;
/** `-r` is the one form that both util-linux and busybox have. */
const raw = /^<(\d{1,3})>\[\s*(\d+)\.(\d{6})\] ?(.*)$/;

export function createKernelRingReader(): LogReader {
  return {
    list: async () => [{ name: 'kernel', description: 'Kernel messages in the ring buffer' }],
    resolve: async (name) => (/^(?:kernel|kern|dmesg|system)$/i.test(name) ? 'kernel' : undefined),
    async *read({ after, since, signal }) {
      if (after !== undefined && !/^\d{1,18}:[0-9a-f]{8}$/.test(after)) throw cursorError();
      const explain = (_: number, complaint: string) => explainRing(complaint);
      const text = await runProgram({
        program: 'dmesg',
        args: ['-r'],
        action: 'read log "kernel"',
        maxBytes,
        signal,
        explain,
      });
      const entries = readRing(text);
      let at = entries.length - 1;
      if (after !== undefined) {
        const before = entries.findLastIndex(({ place }) => place === after);
        const [time] = after.split(':').map(Number);
        // Overwritten entries are older than all others.
        at = before >= 0 ? before - 1 : entries.findLastIndex(({ entry }) => entry.id < (time as number));
      }
      const found = entries.slice(0, at + 1).reverse();
      yield found.filter(({ entry }) => since === undefined || Date.parse(entry.timestamp) >= since);
    },
  };
}

export function readRing(text: string, bootedAt = Math.round(Date.now() / 1000 - uptime()) * 1000): FoundEntry[] {
  const found: FoundEntry[] = [];
  for (const line of text.split('\n')) {
    const [, priority, seconds, micros, message] = raw.exec(line) ?? [];
    const last = found.at(-1);
    if (priority === undefined) {
      if (line !== '' && last) last.entry.message = cutMessage(`${last.entry.message}\n${line}`);
      continue;
    }
    const time = Number(seconds) * 1_000_000 + Number(micros);
    // Many lines have the same time.
    const id = Math.max(time, (last?.entry.id ?? -1) + 1);
    const print = hashHex(line).slice(0, 8);
    found.push({
      place: `${time}:${print}`,
      entry: {
        id,
        logName: 'kernel',
        level: levelOfPriority(Number(priority) & 7),
        source: 'kernel',
        eventId: 0,
        message: cutMessage(message as string),
        timestamp: new Date(bootedAt + Math.floor(time / 1000)).toISOString(),
      },
    });
  }
  return found;
}

function explainRing(complaint: string): LoreError | undefined {
  if (!/not permitted|permission/i.test(complaint)) return undefined;
  return new LoreError('forbidden', 'Cannot read log "kernel": this user may not read the kernel\'s messages', {
    hint: 'A person can allow it: sysctl kernel.dmesg_restrict=0.',
  });
}
