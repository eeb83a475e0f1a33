// An entry of any platform's log, and the common scale of levels. Numbers stay numbers: `id` identifies an entry in its log,
// `eventId` is 0 if the log has none.
import * as s from '../../../core/schema.ts';

export const levels = ['CRITICAL', 'ERROR', 'WARNING', 'INFORMATION', 'VERBOSE'] as const;
export type Level = (typeof levels)[number];

export interface LogEntry {
  id: number;
  logName: string;
  level: Level;
  source: string;
  eventId: number;
  /** The journal's own kind of event id: 32 hexadecimal digits. */
  messageId?: string | undefined;
  message: string;
  /** ISO 8601. */
  timestamp: string;
}

const otherNames: Readonly<Record<string, Level>> = {
  EMERGENCY: 'CRITICAL',
  EMERG: 'CRITICAL',
  ALERT: 'CRITICAL',
  CRIT: 'CRITICAL',
  FATAL: 'CRITICAL',
  FAULT: 'CRITICAL',
  ERR: 'ERROR',
  WARN: 'WARNING',
  NOTICE: 'INFORMATION',
  INFO: 'INFORMATION',
  DEFAULT: 'INFORMATION',
  DEBUG: 'VERBOSE',
};

/** Syslog's and the journal's priorities, 0 to 7. */
const ofPriority: readonly Level[] = [
  'CRITICAL',
  'CRITICAL',
  'CRITICAL',
  'ERROR',
  'WARNING',
  'INFORMATION',
  'INFORMATION',
  'VERBOSE',
];

export function levelOfPriority(priority: number): Level {
  return ofPriority[priority] ?? 'INFORMATION';
}

/** Parses a line of JSON output; undefined if it is not JSON. */
export function readFields(line: string): { [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return s.isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function readLevel(name: string): Level | undefined {
  const upper = name.trim().toUpperCase();
  return levels.find((level) => level === upper) ?? (Object.hasOwn(otherNames, upper) ? otherNames[upper] : undefined);
}

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) <= levels.indexOf(least);
}

/** As a client may spell it; read as ours. */
export function levelSchema(): s.Schema<Level> {
  const expected = `one of ${levels.join(', ')}`;
  return {
    ...s.oneOf(levels),
    expected,
    json: { type: 'string', description: `${levels.join(', ')}` },
    read(value, path, issues) {
      const level = typeof value === 'string' ? readLevel(value) : undefined;
      const received = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value;
      if (level === undefined) issues.push({ path, expected, received });
      return level as Level;
    },
  };
}

/** A number, as the platforms have it, or the journal's hexadecimal digits. */
export function eventIdSchema(): s.Schema<string> {
  const expected = 'a number, or 32 hexadecimal digits';
  return {
    expected,
    json: { type: ['integer', 'string'], description: 'Number, or MESSAGE_ID' },
    read(value, path, issues) {
      const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
      const plain = text.replaceAll('-', '').toLowerCase();
      if (/^\d{1,10}$/.test(text)) return text;
      if (!/^[0-9a-f]{32}$/.test(plain)) issues.push({ path, expected, received: typeof value });
      return plain;
    },
  };
}
