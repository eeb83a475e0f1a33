// lore config

import { loadConfig } from '../../config/load.ts';
import { settingRows } from '../../config/settings.ts';
import type { Command } from '../../core/command.ts';
import type { Setting } from '../../core/setting.ts';
import { alignColumns } from '../output.ts';

export const config: Command = {
  name: 'config',
  summary: 'Show every setting, its value and where the value came from.',
  examples: [
    ['lore config', 'all settings'],
    ['LORE_PORT=9090 lore config --json', 'as JSON, for scripts'],
  ],
  run({ output }) {
    const { values, sources, file } = loadConfig();
    const rows = settingRows.map(([key, row]) => ({
      key,
      value: showValue(row, values[key]),
      source: sources[key],
    }));
    if (output.json) output.printJson({ file, settings: rows });
    else {
      output.print(alignColumns(rows.map(({ key, value, source }) => [key, JSON.stringify(value), source])));
      output.print(`\n${output.dim(`Settings file: ${file}`)}`);
    }
    return 0;
  },
};

function showValue({ secret, show }: Setting<unknown>, value: unknown): unknown {
  if (secret) return value === '' ? '' : '(set)';
  return show ? show(value) : value;
}
