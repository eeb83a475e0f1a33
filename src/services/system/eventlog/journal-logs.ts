// The journal as named logs: the whole, its usual parts, each boot and each unit. A name becomes arguments only here, and
// only after it has been recognised.

interface JournalLog {
  description: string;
  options?: readonly string[];
  /** Alternatives, each a list of fields that must all match; a repeated field matches either value. */
  matches?: readonly (readonly string[])[];
}

const parts: Readonly<Record<string, JournalLog>> = {
  system: { description: 'Everything in the system journal' },
  kernel: { description: 'Kernel messages', matches: [['_TRANSPORT=kernel']] },
  application: {
    description: 'Messages of programs',
    matches: [['_TRANSPORT=syslog', '_TRANSPORT=journal', '_TRANSPORT=stdout']],
  },
  security: {
    description: 'Logins and authorisation',
    matches: [['SYSLOG_FACILITY=4', 'SYSLOG_FACILITY=10'], ['_TRANSPORT=audit']],
  },
  user: { description: 'Your own journal', options: ['--user'] },
};

export const journalParts = Object.entries(parts).map(([name, { description }]) => ({ name, description }));

const unitName = /^[A-Za-z0-9_][A-Za-z0-9:_.\\@-]{0,254}$/;
const unitKind = /\.(?:service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$/;
const bootName = /^(?:0|-[1-9]\d{0,3}|[0-9a-f]{32})$/;

/** One name for each log; undefined for what cannot be one. */
export function nameJournalLog(name: string): string | undefined {
  const at = name.indexOf(':');
  const kind = (at < 0 ? name : name.slice(0, at)).toLowerCase();
  if (at < 0) return Object.hasOwn(parts, kind) ? kind : undefined;
  const value = name.slice(at + 1);
  if (kind === 'boot') return bootName.test(value) ? `boot:${value}` : undefined;
  if (kind !== 'unit') return undefined;
  const unit = unitKind.test(value) ? value : `${value}.service`;
  return unitName.test(unit) ? `unit:${unit}` : undefined;
}

/** The arguments that select a log; `fields` must match as well, each list by one of its alternatives. */
export function argumentsOf(log: string, ...fields: readonly (readonly string[])[]) {
  const at = log.indexOf(':');
  const { options = [], matches = [[]] } = (at < 0 ? parts[log] : undefined) ?? { description: '' };
  const named = at < 0 ? [] : [`--${log.slice(0, at)}=${log.slice(at + 1)}`];
  let ways: readonly (readonly string[])[] = matches;
  for (const field of fields) ways = ways.flatMap((way) => field.map((each) => [...way, each]));
  const alternatives = ways.flatMap((way, index) => (index === 0 ? way : ['+', ...way]));
  return { options: [...options, ...named], matches: alternatives };
}
