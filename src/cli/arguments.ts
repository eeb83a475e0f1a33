// Reads a command line: options before, between or after the words. A boolean option can be turned off: --no-x, --x=false.
import { parseArgs } from 'node:util';
import { type SettingKey, settings } from '../config/settings.ts';
import type { Command, Given, Option } from '../core/command.ts';
import type { Setting } from '../core/setting.ts';
import { didYouMean } from '../core/text/similar-names.ts';
import { usageError } from './usage.ts';

type KnownOptions = Record<string, Pick<Option, 'type'> & { multiple?: boolean; key?: string }>;

export function readArguments(command: Command, args: string[]) {
  const known = knownOptions(command);
  const { tokens } = parseArgs({
    args: args.map((arg) => toKebabCase(arg, known)),
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const options: Record<string, Given | undefined> = {};
  const flags: Record<string, Given> = {};
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const [name, value] = readOption(command, known, token);
    const { multiple, key } = known[name] as KnownOptions[string];
    options[name] = multiple ? [...((options[name] as string[]) ?? []), value as string] : value;
    if (key !== undefined) flags[key] = options[name];
  }
  return { words, options, flags };
}

/** The flag of an argument: `as_of` and `asOf` are `as-of`. */
export function toFlag(key: string): string {
  return key
    .replace(/(?<=[a-z])[A-Z]/g, '-$&')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** Options may also be written like the arguments of a tool: --as_of, --logName. */
function toKebabCase(arg: string, known: KnownOptions): string {
  const [, name = '', rest = ''] = /^--(\w[\w-]*)(=.*)?$/s.exec(arg) ?? [];
  return name !== '' && !known[name] && known[toFlag(name)] ? `--${toFlag(name)}${rest}` : arg;
}

function knownOptions({ options, settings: shown = [], hiddenSettings = [] }: Command): KnownOptions {
  // Without a prototype, so that --constructor is unknown.
  const known: KnownOptions = Object.assign(Object.create(null), { json: { type: 'boolean' } }, options);
  for (const key of [...shown, ...hiddenSettings]) {
    const row: Setting<unknown> | undefined = settings[key as SettingKey];
    if (row?.flag === undefined || known[row.flag]) continue;
    const { type } = row.schema.json;
    known[row.flag] = { type: type === 'boolean' ? 'boolean' : 'string', multiple: type === 'array', key };
  }
  return known;
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function readOption(
  command: Command,
  known: KnownOptions,
  token: OptionToken,
): [name: string, value: string | boolean] {
  const { name, rawName, value, inlineValue } = token;
  const negated = name.startsWith('no-') && !known[name] ? name.slice(3) : undefined;
  const option = known[negated ?? name];
  if (!option || (negated !== undefined && option.type !== 'boolean')) {
    const names = Object.keys(known).map((one) => `--${one}`);
    throw usageError(command, `Unknown option ${rawName}`, didYouMean(rawName, names));
  }
  if (option.type === 'boolean') {
    const given = value === undefined ? true : truth.get(value.toLowerCase());
    if (given === undefined)
      throw usageError(command, `${rawName} must be true or false, got ${JSON.stringify(value)}`);
    return [negated ?? name, negated === undefined ? given : !given];
  }
  // An option in the place of a value means that the value is missing.
  const isMissing = value === undefined || (!inlineValue && /^-[^\d]/.test(value));
  if (isMissing) throw usageError(command, `Missing value of ${rawName}`);
  return [name, value];
}

const truth: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);
