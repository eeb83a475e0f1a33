// One JSON object a line on stderr; stdout belongs to the protocol. Lines are gathered and written together, since a
// system call for each would cost a call more than its own work; warnings and worse go out at once.
import { writeSync } from 'node:fs';

export const logThresholds = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogThreshold = (typeof logThresholds)[number];
type Level = Exclude<LogThreshold, 'silent'>;

type Facts = { readonly [fact: string]: unknown };

export interface Log {
  debug(event: string, facts?: Facts): void;
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  error(event: string, facts?: Facts): void;
  /** Whether a line of this level would be written: guards facts that are costly to gather. */
  wants(level: Level): boolean;
  setThreshold(threshold: LogThreshold): void;
  flush(): void;
}

const flushAfterMs = 50;
const flushAtLength = 16_384;

/** The time as text, made anew only when the millisecond is another. */
function createClock(): () => string {
  let at = 0;
  let shown = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      shown = new Date(now).toISOString();
    }
    return shown;
  };
}

export function createLog(threshold: LogThreshold, write: (text: string) => void = writeStderr): Log {
  let floor = logThresholds.indexOf(threshold);
  const clock = createClock();
  let pending = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending === '') return;
    const text = pending;
    pending = '';
    write(text);
  }

  function line(level: Level, event: string, facts: Facts | undefined): void {
    const rank = logThresholds.indexOf(level);
    if (rank < floor) return;
    const rest = facts === undefined ? '}' : `,${JSON.stringify(facts).slice(1)}`;
    pending += `{"time":"${clock()}","level":"${level}","event":"${event}"${rest}\n`;
    if (rank >= 2 || pending.length >= flushAtLength) flush();
    else timer ??= setTimeout(flush, flushAfterMs).unref();
  }

  return {
    debug: (event, facts) => line('debug', event, facts),
    info: (event, facts) => line('info', event, facts),
    warn: (event, facts) => line('warn', event, facts),
    error: (event, facts) => line('error', event, facts),
    wants: (level) => logThresholds.indexOf(level) >= floor,
    setThreshold: (next) => {
      floor = logThresholds.indexOf(next);
    },
    flush,
  };
}

/** The facts of an error worth a line: its own words and, for a foreign one, where it came from. */
export function describeError(error: unknown): Facts {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: error.cause.stack } : {};
  return { error: error.message, ...cause };
}

function writeStderr(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // A full or closed pipe on the other side must not stop the server; the lines are lost.
  }
}
