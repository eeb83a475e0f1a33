// The Windows registry through reg.exe. It prints a value as it is, so one with a line end could look like several values:
// asked for one name, everything after its type is the value; in a list such a value is cut at its first line.
import { LoreError } from '../../../core/error.ts';
import type { SettingsAddress } from './address.ts';
import { missing, typeError, valueError } from './errors.ts';
import type { Run, SettingsStore, SettingValue } from './settings-store.ts';

const types = ['REG_SZ', 'REG_EXPAND_SZ', 'REG_MULTI_SZ', 'REG_DWORD', 'REG_QWORD', 'REG_BINARY'];
const entry = /^ {4}(.*?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/s;
/** The localised name of the unnamed value, which is first. */
const unnamed = /^\(.*\)$/;

export function openWindows(
  { key, view }: SettingsAddress & { kind: 'reg' },
  run: Run,
  program = findReg(),
): SettingsStore {
  const inView = view === undefined ? [] : [`/reg:${view}`];
  const named = (name: string) => (name === '' ? ['/ve'] : ['/v', name]);
  const ask = (args: readonly string[], explain?: () => ReturnType<typeof missing>) =>
    run(program, [...args, ...inView], explain);

  async function list() {
    const output = await ask(['query', key], () => missing('key', key));
    const lines = output.split(/\r?\n/);
    const values = lines.flatMap(readEntry);
    if (values[0] && unnamed.test(values[0].name)) values[0].name = '';
    // The key itself is named only where it has values.
    const below = lines.filter((line) => isKey(line) && line.split('\\').length > key.split('\\').length);
    return { values, keys: below.map((line) => line.slice(line.lastIndexOf('\\') + 1)) };
  }

  return {
    list,
    async get(name) {
      const gone = missing('value', name);
      try {
        // If only this value is queried, reg.exe reports an unset one as set, with a localised text.
        if (name === '') return (await list()).values.find((value) => value.name === '');
        const output = await ask(['query', key, ...named(name)], () => gone);
        const lines = output
          .replace(/^\r?\n/, '')
          .split(/\r?\n/)
          .slice(1);
        const [found] = readEntry(lines.join('\n').replace(/\n+$/, ''));
        return found && { ...found, name };
      } catch (error) {
        if (error === gone || (name === '' && error instanceof LoreError && error.word === 'not_found'))
          return undefined;
        throw error;
      }
    },
    async put(name, type, value) {
      if (!types.includes(type)) throw typeError(type, types);
      await ask(['add', key, ...named(name), '/t', type, '/d', writeData(type, value), '/f']);
    },
    remove: async (name) => void (await ask(['delete', key, ...named(name), '/f'])),
  };
}

/** Never one in the current folder. */
function findReg(): string {
  return process.platform === 'win32' ? `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe` : 'reg';
}

function isKey(line: string): boolean {
  return /^HKEY_[A-Z_]+(?:\\|$)/.test(line);
}

function readEntry(text: string): SettingValue[] {
  const [, name, type, data = ''] = entry.exec(text) ?? [];
  if (name === undefined || type === undefined) return [];
  return [{ name, type, value: readData(type, data) }];
}

function readData(type: string, data: string): unknown {
  if (type === 'REG_DWORD') return Number(data);
  if (type === 'REG_QWORD') return Number.isSafeInteger(Number(data)) ? Number(data) : BigInt(data).toString();
  return type === 'REG_MULTI_SZ'
    ? data.split('\\0').filter((item, at, all) => item !== '' || at < all.length - 1)
    : data;
}

function writeData(type: string, value: unknown): string {
  if (type === 'REG_DWORD' || type === 'REG_QWORD') return writeNumber(type, value);
  if (type === 'REG_MULTI_SZ') {
    const isList = Array.isArray(value) && value.every((item) => isText(item) && item !== '' && !item.includes('\\0'));
    if (!isList) throw valueError(type, value, 'a list of texts, none empty or with \\0 in it');
    return value.join('\\0');
  }
  if (type === 'REG_BINARY') {
    if (typeof value !== 'string' || !/^(?:[0-9A-Fa-f]{2})*$/.test(value)) throw valueError(type, value, 'hex digits');
    return value;
  }
  if (!isText(value)) throw valueError(type, value, 'a text without NUL');
  return value;
}

function writeNumber(type: string, value: unknown): string {
  const isWhole = Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,20}$/.test(value));
  const limit = type === 'REG_DWORD' ? 0xffff_ffffn : 0xffff_ffff_ffff_ffffn;
  const number = isWhole ? BigInt(value as number | string) : -1n;
  if (number < 0n || number > limit) throw valueError(type, value, `a whole number from 0 to ${limit}`);
  return number.toString();
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
