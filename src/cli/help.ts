// Help, generated from the commands and settings.

import { type SettingKey, settings } from '../config/settings.ts';
import type { Command, Output } from '../core/command.ts';
import type { Tool } from '../core/tool.ts';
import { exitStatusLine } from './exit-status.ts';
import { alignColumns } from './output.ts';

export function renderOverview(
  commands: readonly Command[],
  tools: readonly Tool[],
  { bold }: Pick<Output, 'bold'>,
): string {
  return [
    'Lorekeeper: one context server for every coding agent.',
    '',
    `${bold('Usage')}  lore <command> [options]`,
    '       Without a command, and if standard input is a pipe, it runs the stdio server.',
    '',
    bold('Commands'),
    indent(alignColumns(commands.map(({ name, summary }) => [name, summary]))),
    '',
    bold('Tools, each also a command'),
    indent(alignColumns(tools.map(({ name, title }) => [name, title]))),
    '',
    `${bold('Options')}`,
    indent(
      alignColumns([
        ['--help', 'Help for a command'],
        ['--json', 'Results as JSON'],
        ['--project <project>', 'Work in this project instead of the current folder: its folder, name or id'],
      ]),
    ),
    '',
    bold('Examples'),
    indent(
      alignColumns([
        ['lore serve', 'serve HTTP on 127.0.0.1:8081'],
        ['claude mcp add lore -- lore stdio', 'connect Claude Code'],
        ['lore remember "Deploys go out on Tuesdays."', 'store a memory'],
        ['lore recall "when do we deploy?"', 'search memories'],
      ]),
    ),
    '',
    `${bold('Exit status')}  ${exitStatusLine}`,
  ].join('\n');
}

export function renderHelp(command: Command, { bold }: Pick<Output, 'bold'>): string {
  const usage = ['lore', command.name, command.usage, '[options]'].filter(Boolean).join(' ');
  return [
    command.summary,
    '',
    `${bold('Usage')}  ${usage}`,
    '',
    bold('Options'),
    indent(alignColumns(describeOptions(command))),
    '',
    bold('Examples'),
    indent(alignColumns(command.examples)),
    '',
    `${bold('Exit status')}  ${exitStatusLine}`,
  ].join('\n');
}

function describeOptions(command: Command): string[][] {
  const own = Object.entries(command.options ?? {}).map(([name, { help, value }]) => [
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    help,
  ]);
  const fromSettings = (command.settings ?? []).map((key) => {
    const row = settings[key as SettingKey];
    const value =
      row.schema.json.type === 'boolean' ? '' : ` <${row.schema.json.type === 'integer' ? 'number' : 'text'}>`;
    return [`--${'flag' in row ? row.flag : key}${value}`, `${row.help}${describeDefault(row.fallback)}`];
  });
  const json = command.options?.json ? [] : [['--json', 'Results as JSON']];
  return [...own, ...fromSettings, ...json, ['--help', 'This page']];
}

/** False and empty defaults are omitted. */
function describeDefault(fallback: unknown): string {
  return typeof fallback === 'number' || (typeof fallback === 'string' && fallback !== '')
    ? ` (default ${fallback})`
    : '';
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
