// Settings of Linux desktops: gsettings, whose schemas define types, and dconf, which has none.
import { LoreError } from '../../../core/error.ts';
import type { SettingsAddress } from './address.ts';
import { missing, typeError } from './errors.ts';
import { readVariant, writeVariant } from './gvariant.ts';
import type { Run, SettingsStore, SettingValue } from './settings-store.ts';

export function openGsettings({ schema }: SettingsAddress & { kind: 'gsettings' }, run: Run): SettingsStore {
  const explain = (complaint: string, name = '') => {
    if (/No such schema|does not exist/i.test(complaint)) return missing('schema', schema);
    if (/No such key/i.test(complaint)) {
      return new LoreError('not_found', `Cannot find key "${name}" of schema "${schema}": it does not exist`, {
        details: { path: 'arguments.name', expected: 'a key of the schema', received: name },
      });
    }
    if (/is relocatable|path must be specified/i.test(complaint)) {
      return new LoreError('invalid_input', `Cannot use schema "${schema}": it needs a path`, {
        hint: `gsettings:${schema}:/the/path/`,
        details: { path: 'arguments.path', expected: 'a schema with its path', received: schema },
      });
    }
    if (/not writable/i.test(complaint)) {
      return new LoreError('forbidden', `Cannot change "${schema}": the administrator has locked it`);
    }
    return undefined;
  };
  const ask = (...args: string[]) => run('gsettings', args, (complaint) => explain(complaint, args[2]));
  const bare = schema.replace(/:.*$/s, '');

  async function readType(name: string): Promise<string> {
    const output = (await ask('range', schema, name)).trim();
    const [, kind, type] = /^(type|range) (\S+)/.exec(output) ?? [];
    if (kind === undefined) return output.startsWith('flags') ? 'as' : 's';
    return type as string;
  }

  return {
    async list() {
      const output = await ask('list-recursively', schema);
      const values = output.split('\n').flatMap((line): SettingValue[] => {
        const [, of, name, text] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
        return of === bare && name !== undefined ? [{ name, ...readVariant(text as string) }] : [];
      });
      const children = await ask('list-children', schema);
      return { values, keys: children.split('\n').flatMap((line) => line.split(/\s+/)[0] || []) };
    },
    get: async (name) => ({ name, ...readVariant(await ask('get', schema, name)) }),
    async put(name, type, value) {
      const expected = await readType(name);
      if (type !== expected && type !== 'gvariant') throw typeError(type, [expected, 'gvariant']);
      const text = writeVariant(type, value);
      await run(
        'gsettings',
        ['set', schema, name, text],
        (complaint) => explain(complaint, name) ?? rejectedValueError(expected, text),
      );
    },
    remove: async (name) => void (await ask('reset', schema, name)),
  };
}

export function openDconf({ folder }: SettingsAddress & { kind: 'dconf' }, run: Run): SettingsStore {
  const get = async (name: string) => {
    const text = (await run('dconf', ['read', folder + name])).trim();
    return text === '' ? undefined : { name, ...readVariant(text) };
  };
  return {
    async list() {
      const dump = await run('dconf', ['dump', folder]);
      const keys = (await run('dconf', ['list', folder])).split('\n').filter((name) => name.endsWith('/'));
      return { values: readDump(dump), keys: keys.map((name) => name.slice(0, -1)) };
    },
    get,
    async put(name, type, value) {
      const text = writeVariant(type, value);
      const old = await get(name);
      // Without a schema, the existing value defines the type.
      if (old && type !== 'gvariant' && old.type !== type) throw typeError(type, [old.type, 'gvariant']);
      await run('dconf', ['write', folder + name, text], () => rejectedValueError(type, text));
    },
    remove: async (name) => void (await run('dconf', ['reset', folder + name])),
  };
}

/** The folder's own values are under `[/]`. */
function readDump(dump: string): SettingValue[] {
  const own = /^\[\/\]\n((?:[^[\n][^\n]*\n?)*)/m.exec(dump)?.[1] ?? '';
  return own.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at < 1 ? [] : [{ name: line.slice(0, at), ...readVariant(line.slice(at + 1)) }];
  });
}

function rejectedValueError(type: string, text: string): LoreError {
  return new LoreError('invalid_input', `Cannot write value "${text.slice(0, 100)}": the setting does not accept it`, {
    details: {
      path: 'arguments.value',
      expected: `a value of type ${type}, within its range`,
      received: text.slice(0, 100),
    },
  });
}
