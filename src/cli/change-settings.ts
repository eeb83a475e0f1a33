// Changes only the given keys of the user's settings file. Running servers watch the file.
import { statSync } from 'node:fs';
import { expectWritable, readConfigFile, writeConfigFile } from '../agents/config-file.ts';
import { putValue, removeAt } from '../agents/jsonc-edit.ts';
import { loadConfig, type SettingSource } from '../config/load.ts';
import { type SettingKey, settings } from '../config/settings.ts';
import { LoreError } from '../core/error.ts';

interface Changed {
  file: string;
  changed: boolean;
}

/** `path` begins with a setting's key; without a value it is taken out. */
export interface SettingChange {
  path: readonly [SettingKey, ...string[]];
  value?: unknown;
}

/** `isPrivate`: nobody else may read the file from now on. */
export function changeSettings(changes: readonly SettingChange[], { isPrivate = false } = {}): Changed {
  // What is wrong with the file is said before it is touched.
  const { file, sources } = loadConfig();
  for (const { path } of changes) refuseOverridden(path[0], sources[path[0]]);
  const before = readConfigFile(file);
  const text = changes.reduce((made, { path, value }) => {
    return value === undefined ? removeAt(made, path) : putValue(made, path, value);
  }, before.text);
  if (text === before.text && !(isPrivate && isReadableByOthers(before.target))) return { file, changed: false };
  expectWritable(before);
  writeConfigFile(before, Buffer.from(text), isPrivate ? 0o600 : undefined);
  return { file, changed: true };
}

/** Windows has no such modes; there the folder is the user's own. */
export function isReadableByOthers(file: string): boolean {
  const mode = process.platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & 0o044) !== 0;
}

/** The list with the entry in it, or without it; nothing where none is left. */
export function changeList(list: readonly string[], entry: string, isIn: boolean): readonly string[] | undefined {
  const rest = list.filter((one) => one !== entry);
  const next = isIn ? (rest.length < list.length ? list : [...list, entry]) : rest;
  return next.length === 0 ? undefined : next;
}

function refuseOverridden(key: SettingKey, source: SettingSource): void {
  if (source !== 'environment') return;
  const row = settings[key];
  throw new LoreError('conflict', `Cannot change "${key}": an environment variable sets it, which overrides the file`, {
    hint: `Unset ${'env' in row ? row.env : 'its variable'} first.`,
  });
}
