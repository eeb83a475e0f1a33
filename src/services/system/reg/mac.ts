// Settings of macOS through `defaults`. A domain is exported as a property list, which has types; files and domains of other
// users cannot be addressed.
import { LoreError } from '../../../core/error.ts';
import type { SettingsAddress } from './address.ts';
import { missing, typeError, valueError } from './errors.ts';
import { readPlist } from './plist.ts';
import type { Run, SettingsStore } from './settings-store.ts';

const program = '/usr/bin/defaults';
const types = ['string', 'int', 'float', 'bool', 'data', 'date', 'array'];

export function openDefaults({ domain }: SettingsAddress & { kind: 'defaults' }, run: Run): SettingsStore {
  async function list() {
    const output = await run(program, ['export', domain, '-'], () => missing('domain', domain));
    const values = readPlist(output);
    if (!values) throw new LoreError('unavailable', `Cannot read "${domain}": the output of defaults cannot be parsed`);
    return { values, keys: [] };
  }
  return {
    list,
    get: async (name) => (await list()).values.find((value) => value.name === name),
    async put(name, type, value) {
      if (!types.includes(type)) throw typeError(type, types);
      await run(program, ['write', domain, name, `-${type}`, ...writeValue(type, value)]);
    },
    remove: async (name) => void (await run(program, ['delete', domain, name])),
  };
}

function writeValue(type: string, value: unknown): string[] {
  if (type === 'bool' && typeof value === 'boolean') return [String(value)];
  if (type === 'int' && Number.isSafeInteger(value)) return [String(value)];
  if (type === 'float' && Number.isFinite(value)) return [String(value)];
  if (type === 'data' && typeof value === 'string' && /^(?:[0-9A-Fa-f]{2})*$/.test(value)) return [value];
  if (type === 'date' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:]{8}Z$/.test(value)) return [value];
  if (type === 'string' && typeof value === 'string' && !value.includes('\0')) return [value];
  // An item that begins with a dash would be taken for the type of the next one.
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && !/^-|\0/.test(item));
  if (type === 'array' && isList) return value as string[];
  throw valueError(type, value, type === 'array' ? 'a list of texts that do not begin with a dash' : `a ${type}`);
}
