// Translates errors about arguments from the language of schemas, which models read, into that of a command line.
import type { Command, Given } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { didYouMean } from '../core/text/similar-names.ts';
import { toFlag } from './arguments.ts';
import { usageError } from './usage.ts';

type Options = Readonly<Record<string, Given | undefined>>;

/** Other errors are returned as they are. */
export function explainUsage(error: unknown, command: Command, options: Options): unknown {
  if (!(error instanceof LoreError) || error.word !== 'invalid_input' || !error.details) return error;
  const { path, expected, received } = error.details;
  if (path === undefined || expected === undefined || received === undefined) return error;
  const key = /^arguments\.(.+)$/.exec(path)?.[1];
  const name = key === undefined ? path : nameArgument(command, key);
  // A service may have found better words than the schema.
  if (!error.message.endsWith(`${path} should be ${expected}, got ${received}`)) {
    const message = error.message.replaceAll(path, name);
    return new LoreError(error.word, message, { ...(error.hint !== undefined && { hint: error.hint }) });
  }
  if (key !== undefined && /^(?:only |no keys)/.test(expected)) {
    const known = expected.startsWith('only ') ? expected.slice(5).split(', ') : [];
    const hint = didYouMean(key, known) ?? (known.length > 0 ? `Arguments: ${known.join(', ')}.` : undefined);
    return usageError(command, `Unknown argument ${JSON.stringify(key)}`, hint);
  }
  if (key !== undefined && (received === 'nothing' || (name.startsWith('<') && received === '0 characters'))) {
    return usageError(command, `Missing ${name.startsWith('-') ? 'option' : 'argument'} ${name}`);
  }
  const given = options[name.replace(/^--/, '')] ?? process.env[path];
  const isPlain = received === 'string' && /^(?:integer|number|boolean)/.test(expected) && given !== undefined;
  const got = isPlain ? JSON.stringify(given) : nameType(received);
  const message = `${name} must be ${describeExpected(expected)}, got ${got}`;
  // A setting has no usage that would help.
  return key === undefined && !path.startsWith('--')
    ? new LoreError(error.word, message)
    : usageError(command, message);
}

function nameArgument({ options = {}, usage = '', name }: Command, key: string): string {
  if (name === 'call') return key;
  const flag = toFlag(key);
  const slot = usage.match(/[<[][^>\]]*[>\]]/g)?.find((one) => one.slice(1, -1) === flag);
  return slot !== undefined ? `<${flag}>` : flag in options ? `--${flag}` : key;
}

function describeExpected(expected: string): string {
  return expected
    .replace(/^integer/, 'a whole number')
    .replace(/^number/, 'a number')
    .replace(/^string/, 'text')
    .replace(/^boolean/, 'true or false')
    .replace(
      /^array(?: of (.*) items)?$/,
      (_, range) => `a list${range ? ` of ${range} entries` : ''}, separated by commas`,
    )
    .replace(/^object$/, 'a JSON object');
}

function nameType(received: string): string {
  return received === 'string' ? 'text' : received === 'array' ? 'a list' : received;
}
