// Selects the reader for this machine: by platform, and on Linux the journal if there is one, else syslog's files and the
// kernel's ring buffer.
import { LoreError } from '../../../core/error.ts';
import type { LogReader } from './reader.ts';

/** A journal may come, but not every second. */
const chosenMs = 60_000;
let chosen: { reader: LogReader; until: number } | undefined;

export async function chooseReader(signal: AbortSignal): Promise<LogReader> {
  if (chosen && performance.now() < chosen.until) return chosen.reader;
  const reader = await findReader(process.platform, signal);
  chosen = { reader, until: performance.now() + chosenMs };
  return reader;
}

async function findReader(platform: NodeJS.Platform, signal: AbortSignal): Promise<LogReader> {
  if (platform === 'win32') return (await import('./windows-reader.ts')).createWindowsReader();
  if (platform === 'darwin') return (await import('./macos.ts')).createMacosReader();
  if (platform === 'linux') {
    const journal = (await import('./journal-reader.ts')).createJournalReader();
    if (await journal.isThere(signal)) return journal;
  }
  const { createSyslogReader } = await import('./syslog-reader.ts');
  const { createKernelRingReader } = await import('./kernel-ring.ts');
  return joinReaders(createSyslogReader(), createKernelRingReader());
}

/** The logs of both; a name that both know is the first one's. */
export function joinReaders(...readers: readonly LogReader[]): LogReader {
  const find = async (name: string, signal: AbortSignal) => {
    for (const reader of readers) {
      const log = await reader.resolve(name, signal);
      if (log !== undefined) return { reader, log };
    }
    return undefined;
  };
  return {
    list: async (signal) => (await Promise.all(readers.map((reader) => reader.list(signal)))).flat(),
    resolve: async (name, signal) => (await find(name, signal))?.log,
    async *read(query) {
      const found = await find(query.log, query.signal);
      if (!found) throw new LoreError('not_found', `Cannot read log "${query.log}": it no longer exists`);
      yield* found.reader.read(query);
    },
  };
}
