// Syslog files, for machines without a journal. Only known syslog files can be named, so that a name cannot lead elsewhere.
import { loadCrypto } from '../../../core/crypto.ts';
import { cursorError, cutMessage, type FoundEntry, type LogInfo, type LogQuery, type LogReader } from './reader.ts';
import { readBackward } from './syslog-backward.ts';
import { readSyslogLine } from './syslog-line.ts';
import { findSegments, type LogSegment, openSegment } from './syslog-segment.ts';

/** By the name that callers use; the second half are the names of Red Hat systems. */
const files: Readonly<Record<string, { file: string; description: string }>> = {
  syslog: { file: 'syslog', description: 'Everything except logins' },
  auth: { file: 'auth.log', description: 'Logins and authorisation' },
  kern: { file: 'kern.log', description: 'Kernel messages' },
  daemon: { file: 'daemon.log', description: 'Messages of services' },
  user: { file: 'user.log', description: 'Messages of user programs' },
  cron: { file: 'cron.log', description: 'Scheduled jobs' },
  mail: { file: 'mail.log', description: 'Mail' },
  messages: { file: 'messages', description: 'Everything except logins and mail' },
  secure: { file: 'secure', description: 'Logins and authorisation' },
  maillog: { file: 'maillog', description: 'Mail' },
};

/** What other platforms call the same, in order of preference. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  system: ['syslog', 'messages'],
  security: ['auth', 'secure'],
  kernel: ['kern'],
  application: ['user', 'daemon', 'messages'],
};

interface SyslogOptions {
  folder?: string;
}

export function createSyslogReader({ folder = '/var/log' }: SyslogOptions = {}): LogReader {
  const exists = async (name: string) => (await findSegments(folder, files[name]?.file as string)).length > 0;
  return {
    async list() {
      const logs: LogInfo[] = [];
      for (const [name, { description }] of Object.entries(files)) {
        if (await exists(name)) logs.push({ name, description });
      }
      return logs;
    },
    async resolve(asked) {
      const lower = asked.toLowerCase().replace(/\.log$/, '');
      const candidates = Object.hasOwn(aliases, lower) ? aliases[lower] : undefined;
      for (const name of candidates ?? [lower]) {
        if (Object.hasOwn(files, name) && (await exists(name))) return name;
      }
      return undefined;
    },
    async *read(query) {
      const paths = await findSegments(folder, files[query.log]?.file as string);
      const place = query.after === undefined ? undefined : readPlace(query.after);
      let isFound = place === undefined;
      for (const path of paths) {
        const segment = await openSegment(path, query.signal);
        if (!segment) continue;
        try {
          const isHere = place !== undefined && segment.print === place.print;
          if (!isFound && !isHere) continue;
          const end = isFound ? segment.size : (place?.start ?? 0);
          isFound = true;
          // Older segments hold nothing that is newer than what ended this one.
          if (yield* readSegment(segment, end, query)) return;
        } finally {
          await segment.close();
        }
      }
      if (!isFound) throw cursorError();
    },
  };
}

/** True when it reached entries older than requested. */
async function* readSegment(
  segment: LogSegment,
  end: number,
  query: LogQuery,
): AsyncGenerator<readonly FoundEntry[], boolean, void> {
  let newest = segment.modified;
  let more: string[] = [];
  for await (const { text, start } of readBackward(segment.file, end)) {
    query.signal.throwIfAborted();
    const line = readSyslogLine(text, newest);
    if (!line) {
      // It belongs to the entry that begins above it.
      if (text !== '' && more.length < 1_000) more.unshift(text);
      continue;
    }
    newest = line.time;
    if (query.since !== undefined && line.time < query.since) return true;
    const { time, message, ...rest } = line;
    const place = `${segment.print}:${start}`;
    const entry = {
      id: idOf(place),
      logName: query.log,
      eventId: 0,
      ...rest,
      message: cutMessage([message, ...more].join('\n')),
      timestamp: new Date(time).toISOString(),
    };
    yield [{ place, entry }];
    more = [];
  }
  return false;
}

function readPlace(place: string): { print: string; start: number } {
  const [, print, start] = /^([0-9a-f]{12}):(\d{1,15})$/.exec(place) ?? [];
  if (print === undefined) throw cursorError();
  return { print, start: Number(start) };
}

/** Stays the same when the file is rotated. */
function idOf(place: string): number {
  return loadCrypto().createHash('sha256').update(place).digest().readUIntBE(0, 6);
}
