// A line of the log for a person: `14:03:07 warn  settings_refused error="…"`. Programs get JSON.
import type { LogLine } from '../core/log.ts';
import { asLine } from '../core/text/terminal.ts';

export function formatLogLine({ time, level, event, facts = {} }: LogLine): string {
  const at = new Date(time).toTimeString().slice(0, 8);
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${formatValue(value)}`);
  return `${asLine([`${at} ${level.padEnd(5)} ${event.replaceAll('_', ' ')}`, ...pairs].join('  '))}\n`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : (JSON.stringify(value) ?? 'none');
}
