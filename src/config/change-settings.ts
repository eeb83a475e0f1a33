// Changes only the given keys of the user's settings file. Running servers watch the file.
import { statSync } from 'node:fs';
import { expectWritable, readConfigFile, writeConfigFile } from '../agents/config-file.ts';
import { putValue, removeAt } from '../agents/jsonc-edit.ts';
import { LoreError } from '../core/error.ts';
import { fileKeys, loadConfig, type SettingSource } from './load.ts';
import { type SettingKey, settings } from './settings.ts';

interface Changed {
  file: string;
  changed: boolean;
}

/** `path` begins with a setting's key; without a value the entry is removed. */
export interface SettingChange {
  path: readonly [SettingKey, ...string[]];
  value?: unknown;
}

/** `isPrivate`: make the file readable by its owner only. */
export function changeSettings(changes: readonly SettingChange[], { isPrivate = false } = {}): Changed {
  // Validates the file before it is changed.
  const { file, sources, values } = loadConfig();
  for (const { path } of changes) expectNotOverridden(path[0], sources[path[0]]);
  const before = readConfigFile(file);
  const text = changes.reduce((made, { path, value }) => {
    const [key, ...aliases] = fileKeys(path[0], settings[path[0]]) as [string, ...string[]];
    const bare = aliases.reduce((text, alias) => removeAt(text, [alias]), made);
    const text = bare === made ? made : putValue(bare, [key], values[path[0]]);
    return value === undefined ? removeAt(text, path) : putValue(text, path, value);
  }, before.text);
  if (text === before.text && !(isPrivate && isReadableByOthers(before.target))) return { file, changed: false };
  expectWritable(before);
  writeConfigFile(before, Buffer.from(text), isPrivate ? 0o600 : undefined);
  return { file, changed: true };
}

/** Windows has no such modes; there the folder belongs to the user. */
export function isReadableByOthers(file: string): boolean {
  const mode = process.platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & 0o044) !== 0;
}

/** The list with or without the entry; undefined if it would be empty. */
export function changeList(list: readonly string[], entry: string, isIn: boolean): readonly string[] | undefined {
  const rest = list.filter((one) => one !== entry);
  const next = isIn ? (rest.length < list.length ? list : [...list, entry]) : rest;
  return next.length === 0 ? undefined : next;
}

function expectNotOverridden(key: SettingKey, source: SettingSource): void {
  if (source !== 'environment') return;
  const row = settings[key];
  throw new LoreError('conflict', `Cannot change "${key}": an environment variable sets it, which overrides the file`, {
    hint: `Unset ${'env' in row ? row.env : 'its variable'} first.`,
  });
}
