// Defaults < file < environment < flags. Every value knows its source, and errors name it: a typo in the file must not
// silently become a default.
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Given } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { check, isObject } from '../core/schema.ts';
import type { Service } from '../core/service.ts';
import type { Setting } from '../core/setting.ts';
import { type SettingKey, type Settings, settingRows, settings } from './settings.ts';

export type SettingSource = 'default' | 'file' | 'environment' | 'flag';

export interface Config {
  readonly values: Settings;
  readonly sources: { readonly [K in SettingKey]: SettingSource };
  /** The settings file, whether or not it exists. */
  readonly file: string;
  /** Changes whenever the file changes. */
  readonly stamp: string;
}

export interface ConfigInput {
  env?: NodeJS.ProcessEnv;
  /** By setting key, already split from the command line. */
  flags?: { readonly [key: string]: Given | undefined };
  /** Services besides the product's own, for the settings that they declare. */
  services?: readonly Pick<Service, 'settings'>[];
}

export function loadConfig({ env = process.env, flags = {}, services = [] }: ConfigInput = {}): Config {
  const file = settingsFile(env);
  const stamp = stampOf(file);
  const rows: Record<string, Setting<unknown>> = Object.assign(
    {},
    ...services.map((service) => service.settings),
    settings,
  );
  const fromFile = readSettingsFile(file, rows);
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  for (const [key, row] of Object.entries(rows)) {
    const [value, source, place] = pick(key, row, fromFile, file, env, flags);
    values[key] = check(row.schema, value, place, 'use the settings');
    sources[key] = source;
  }
  if (env.MCP_DEBUG === '1' && sources.log_level !== 'flag') {
    values.log_level = 'debug';
    sources.log_level = 'environment';
  }
  return { values: values as Settings, sources: sources as Config['sources'], file, stamp };
}

function pick(
  key: string,
  row: Setting<unknown>,
  fromFile: { [key: string]: unknown },
  file: string,
  env: NodeJS.ProcessEnv,
  flags: NonNullable<ConfigInput['flags']>,
): [unknown, SettingSource, string] {
  const [name, other] = fileKeys(key, row).filter((one) => Object.hasOwn(fromFile, one));
  if (other !== undefined) {
    throw new LoreError(
      'invalid_input',
      `Cannot use the settings: "${name}" and "${other}" in ${file} are one setting`,
      {
        hint: `Remove "${other}".`,
      },
    );
  }
  const flag = flags[key];
  if (flag !== undefined) return [parseText(row.schema.json.type, flag), 'flag', `--${row.flag}`];
  for (const variable of [row.env, ...(row.envAliases ?? [])]) {
    const text = variable === undefined ? undefined : env[variable];
    // Extension hosts pass the placeholder of an option that the user left empty.
    if (text && !/^\$\{.*\}$/.test(text))
      return [parseText(row.schema.json.type, text), 'environment', variable as string];
  }
  if (name !== undefined) return [fromFile[name], 'file', `${name} in ${file}`];
  return [row.fallback, 'default', key];
}

/** Environment variables that set something now, for a server that another program will start; not those with secrets. */
export function variablesInForce(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const secrets = settingRows.filter(([, { secret }]) => secret).flatMap(([, row]) => variablesOf(row));
  const names = ['LORE_CONFIG', ...settingRows.flatMap(([, row]) => variablesOf(row))];
  const set = names.filter((name) => env[name] && !secrets.includes(name));
  return Object.fromEntries(set.map((name) => [name, env[name] as string]));
}

function variablesOf({ env, envAliases = [] }: Setting<unknown>): string[] {
  return env === undefined ? [] : [env, ...envAliases];
}

/** The names of a setting in the file, current name first. */
export function fileKeys(key: string, { aliases = [] }: Pick<Setting<unknown>, 'aliases'>): string[] {
  return [key, ...aliases];
}

/** Flags and variables are text, parsed by the schema's type. Values that cannot be parsed are rejected by the validation. */
export function parseText(type: unknown, value: Given): unknown {
  if (type === 'array' && typeof value !== 'boolean') {
    return [value].flat().flatMap((part) => part.split(',').map((entry: string) => entry.trim()));
  }
  if (typeof value !== 'string') return value;
  switch (type) {
    case 'integer':
    case 'number':
      return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
    case 'boolean':
      return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value;
    default:
      return value;
  }
}

function settingsFile(env: NodeJS.ProcessEnv = process.env): string {
  return env.LORE_CONFIG || join(settingsFolder(env), 'config.json');
}

/** Where the settings are unless the environment names another file. */
export function settingsFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = process.platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  return join(base || join(homedir(), '.config'), 'lorekeeper');
}

function readSettingsFile(file: string, rows: Record<string, Setting<unknown>>): { [key: string]: unknown } {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new LoreError('unavailable', `Cannot read settings "${file}": ${(error as NodeJS.ErrnoException).code}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new LoreError('invalid_input', `Cannot read settings "${file}": it is not JSON`);
  }
  if (!isObject(value)) throw new LoreError('invalid_input', `Cannot read settings "${file}": it is not an object`);
  const known = new Set(Object.entries(rows).flatMap(([key, row]) => fileKeys(key, row)));
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw new LoreError('invalid_input', `Cannot use the settings: "${unknown}" in ${file} is not a setting`, {
      hint: 'lore config lists them all.',
    });
  }
  return value;
}

/**
 * Polls, because editors replace files in ways that a watch on the inode misses. Compares with the loaded state, because
 * the file may change before the watch begins.
 */
export function watchConfig(
  loaded: Config,
  input: ConfigInput,
  listener: (next: Config | LoreError) => void,
  everyMs = 500,
): () => void {
  let seen = loaded.stamp;
  const timer = setInterval(() => {
    const stamp = stampOf(loaded.file);
    if (stamp === seen) return;
    seen = stamp;
    try {
      listener(loadConfig(input));
    } catch (error) {
      if (!(error instanceof LoreError)) throw error;
      listener(error);
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
