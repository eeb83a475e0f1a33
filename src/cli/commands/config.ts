// lore config

import { changeSettings } from '../../config/change-settings.ts';
import { loadConfig } from '../../config/load.ts';
import { type SettingKey, settingRows, settings } from '../../config/settings.ts';
import type { Command, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { check } from '../../core/schema.ts';
import type { Setting } from '../../core/setting.ts';
import { didYouMean } from '../../core/text/similar-names.ts';
import { readAll } from '../input.ts';
import { alignColumns } from '../output.ts';
import { readValue } from '../tool-command.ts';
import { explainUsage } from '../usage-error.ts';

export const config: Command = {
  name: 'config',
  summary: 'Show every setting, its value and where the value came from, or change one in the settings file.',
  usage: '[get <setting> | set <setting> <value> | unset <setting>]',
  examples: [
    ['lore config', 'all settings'],
    ['lore config get port', 'one value, for scripts'],
    ['lore config set log_level warn', 'written to the settings file'],
    ['lore config set roots ~/src,~/work', 'a list'],
    ['lore config set embed_key - < key.txt', 'a secret, from standard input'],
    ['lore config unset log_level', 'back to the default'],
  ],
  async run({ words, output }) {
    const [verb, name = '', value = ''] = words;
    if (verb === undefined) return showAll(output);
    const key = findSetting(name);
    if (verb === 'get') return showOne(key, output);
    return change(key, verb === 'set' ? await readSetting(key, value) : undefined, output);
  },
};

function listSettings() {
  const { values, sources, file } = loadConfig();
  const rows = settingRows.map(([key, row]) => ({
    key,
    value: showValue(row, values[key]),
    source: sources[key],
  }));
  return { file, settings: rows };
}

function showAll(output: Output): number {
  const listed = listSettings();
  if (output.json) output.printJson(listed);
  else {
    const cells = listed.settings.map(({ key, value, source }) => [key, JSON.stringify(value), source]);
    output.print(alignColumns([['setting', 'value', 'source'], ...cells]));
    output.print(`\n${output.dim(`Settings file: ${listed.file}`)}`);
  }
  return 0;
}

function showOne(key: SettingKey, output: Output): number {
  const row = listSettings().settings.find((one) => one.key === key);
  if (output.json) output.printJson(row);
  else output.print(typeof row?.value === 'string' ? row.value : JSON.stringify(row?.value));
  return 0;
}

function change(key: SettingKey, value: unknown, output: Output): number {
  const { secret, show, live }: Setting<unknown> = settings[key];
  const isPrivate = (secret === true || show !== undefined) && value !== undefined;
  const { file, changed } = changeSettings([{ path: [key], value }], { isPrivate });
  if (output.json) output.printJson({ file, changed });
  else {
    const when = live ? 'Running servers apply it at once.' : 'Servers apply it when they start.';
    output.print(`${changed ? `${key} is ${value === undefined ? 'unset' : 'set'}. ${when}` : 'Nothing to change.'}`);
    output.print(output.dim(file));
  }
  return 0;
}

function findSetting(name: string): SettingKey {
  const wanted = name.replaceAll('-', '_');
  const found = settingRows.find(([key, { aliases = [] }]) => key === wanted || aliases.includes(wanted));
  if (found) return found[0];
  const hint = didYouMean(wanted, Object.keys(settings)) ?? 'lore config lists all settings.';
  throw new LoreError('not_found', `Unknown setting ${JSON.stringify(name)}`, { hint });
}

/** Other users of the machine can read a command line, so a secret is read from standard input. */
async function readSetting(key: SettingKey, given: string): Promise<unknown> {
  const row: Setting<unknown> = settings[key];
  const text = given === '-' ? (await readAll(process.stdin)).trim() : given;
  const value = parseSetting(key, row, text);
  if (given !== '-' && showValue(row, value) !== value) {
    throw new LoreError('forbidden', `Cannot set ${key} on a command line, which other users could read`, {
      hint: `Pass it on standard input: lore config set ${key} - < file`,
    });
  }
  return value;
}

function parseSetting(key: SettingKey, { schema }: Setting<unknown>, text: string): unknown {
  try {
    return check(schema, readValue(schema.json, text), key, 'change the setting');
  } catch (error) {
    throw explainUsage(error, config, { [key]: text });
  }
}

function showValue({ secret, show }: Setting<unknown>, value: unknown): unknown {
  if (secret) return value === '' ? '' : '(set)';
  return show ? show(value) : value;
}
