// One JSON object a line on stderr, unless a format is given; stdout belongs to the protocol. Lines of level info, one for each call, are formatted and
// written together, which costs a call far less than doing so one at a time; all others are written at once.
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
const flushAtLines = 128;

export interface LogLine {
  readonly time: number;
  readonly level: Level;
  readonly event: string;
  readonly facts: Facts | undefined;
}

export function createLog(
  threshold: LogThreshold,
  write: (text: string) => void = writeStderr,
  format: (line: LogLine) => string = formatLine,
): Log {
  let floor = logThresholds.indexOf(threshold);
  let lines: LogLine[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const due = lines;
    lines = [];
    write(due.map(format).join(''));
  }

  function line(level: Level, event: string, facts: Facts | undefined): void {
    if (logThresholds.indexOf(level) < floor) return;
    lines.push({ time: Date.now(), level, event, facts });
    if (level !== 'info' || lines.length >= flushAtLines) flush();
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

let lastTime = 0;
let lastTimeText = '';

function formatLine({ time, level, event, facts }: LogLine): string {
  if (time !== lastTime) lastTimeText = new Date(time).toISOString();
  lastTime = time;
  const rest = facts === undefined ? '}' : `,${JSON.stringify(facts).slice(1)}`;
  return `{"time":"${lastTimeText}","level":"${level}","event":"${event}"${rest}\n`;
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
