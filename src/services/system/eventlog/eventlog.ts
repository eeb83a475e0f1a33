// The machine's event log behind both tools: which reader serves this platform, which logs may be read, and the caller's
// words made safe. Programs get values only as whole arguments that begin with our own words.
import type { Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import type { Level, LogEntry } from './entry.ts';
import type { Page } from './page.ts';
import type { LogInfo, LogReader } from './reader.ts';

interface QueryArguments {
  logName: string;
  limit: number;
  offset: number;
  cursor?: string | undefined;
  minLevel?: Level | undefined;
  source?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  text?: string | undefined;
  eventId?: string | undefined;
}

export interface EventLog {
  list(call: Pick<Call, 'signal'>): Promise<LogInfo[]>;
  query(args: QueryArguments, call: Pick<Call, 'signal'>): Promise<Page>;
}

export interface EventLogOptions {
  /** Instead of what this platform has. */
  openReader?: (signal: AbortSignal) => Promise<LogReader>;
  /** Names that may be read, `unit:*` for a prefix; all if empty. */
  allowedLogs?: () => readonly string[];
  /** Masks an entry. */
  mask?: () => Promise<((entry: LogEntry) => LogEntry) | undefined>;
  timeoutMs?: number;
}

/** Steers a terminal, ends a line or a value: no source, log or text has it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

export function createEventLog(options: EventLogOptions = {}): EventLog {
  const { openReader = openPlatformReader, allowedLogs = () => [], timeoutMs } = options;
  return {
    async list({ signal }) {
      const reader = await openReader(signal);
      const allowed = allowedLogs();
      return (await reader.list(signal)).filter(({ name }) => isAllowed(name, allowed));
    },
    async query(args, { signal }) {
      for (const key of ['logName', 'source', 'text'] as const) refuseControl(key, args[key]);
      const { readTime } = await import('./time.ts');
      const { readPage, unknownLogError } = await import('./page.ts');
      const since = args.since === undefined ? undefined : readTime(args.since, 'since');
      const until = args.until === undefined ? undefined : readTime(args.until, 'until');
      const reader = await openReader(signal);
      const log = await reader.resolve(args.logName, signal);
      if (log === undefined) throw unknownLogError(args.logName);
      if (!isAllowed(log, allowedLogs())) {
        throw new LoreError('forbidden', `Cannot read log "${log}": it is not allowed`, {
          hint: 'A person can allow it: add it to "logs" in the settings file.',
          details: { path: 'arguments.logName', expected: 'a log that is allowed', received: log },
        });
      }
      const mask = await options.mask?.();
      return readPage(reader, { ...args, log, since, until, signal }, { mask, ...(timeoutMs && { timeoutMs }) });
    },
  };
}

async function openPlatformReader(signal: AbortSignal): Promise<LogReader> {
  return (await import('./choose.ts')).chooseReader(signal);
}

function isAllowed(log: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const name = log.toLowerCase();
  return allowed.some((each) => {
    const pattern = each.toLowerCase();
    return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  });
}

function refuseControl(key: string, value: string | undefined): void {
  if (value === undefined || !control.test(value)) return;
  throw new LoreError('invalid_input', `Cannot call "eventlog_query": ${key} contains a control character`, {
    details: { path: `arguments.${key}`, expected: 'a text on one line', received: 'a control character' },
  });
}
