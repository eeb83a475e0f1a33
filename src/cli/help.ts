// Help, generated from the commands, tools and settings, and wrapped to the width of the terminal.

import { type SettingKey, settings } from '../config/settings.ts';
import type { Command } from '../core/command.ts';
import type { Setting } from '../core/setting.ts';
import { hangText, joinFacts, type Style, wrapText } from '../core/text/terminal.ts';
import type { Tool } from '../core/tool.ts';
import { exitStatusFacts } from './exit-status.ts';
import { usageLines } from './usage.ts';

type HelpStyle = Pick<Style, 'bold' | 'width'>;
type Row = readonly [name: string, text: string];

const usualWidth = 80;

export interface ListedTool {
  tool: Pick<Tool, 'name'>;
  service: string;
}

export function renderOverview(commands: readonly Command[], tools: readonly ListedTool[], style: HelpStyle): string {
  const { bold } = style;
  const width = widthOfHelp(style);
  const services = [...new Set(tools.map(({ service }) => service))];
  const toolRows = services.map((id): Row => {
    const names = tools.filter(({ service }) => service === id).map(({ tool }) => tool.name);
    return [id, names.join(', ')];
  });
  return [
    'Lorekeeper: one context server for every coding agent.',
    '',
    ...hangTitle('Usage', 'lore <command> [options]', style),
    ...hangText('       ', 'Without a command, and if standard input is a pipe, it runs the stdio server.', width),
    '',
    bold('Commands'),
    ...renderRows(
      commands.map(({ name, summary }) => [name, firstSentence(summary)]),
      width,
    ),
    '',
    `${bold('Tools')}, which are commands too: "lore checkpoint save" or "lore checkpoint_save"`,
    ...renderRows(toolRows, width),
    '',
    bold('Options'),
    ...renderRows(
      [
        ['--help', 'Describe a command, like lore help <command>'],
        ['--json', 'Print the result as JSON'],
        ['--project <project>', 'Work in this project instead of the current folder: its folder, name or id'],
      ],
      width,
    ),
    '',
    bold('Examples'),
    ...renderExamples(
      [
        ['lore install claude-code', 'connect Claude Code'],
        ['lore remember "Deploys go out on Tuesdays."', 'store a memory'],
        ['lore recall "when do we deploy?"', 'search memories'],
        ['lore serve', 'serve HTTP on 127.0.0.1:8081'],
      ],
      width,
    ),
    '',
    ...renderExitStatus(style),
  ].join('\n');
}

export function renderHelp(command: Command, style: HelpStyle): string {
  const { bold } = style;
  const width = widthOfHelp(style);
  return [
    ...wrapText(command.summary, width),
    '',
    ...usageLines(command).flatMap((line, at) => hangTitle(at === 0 ? 'Usage' : '     ', line, style)),
    '',
    bold('Options'),
    ...renderRows(describeOptions(command), width),
    '',
    bold('Examples'),
    ...renderExamples(command.examples, width),
    '',
    ...renderExitStatus(style),
  ].join('\n');
}

/** Of a summary or description. */
export function firstSentence(text: string): string {
  return text.split(/[.:;](?:\s|$)/, 1)[0] ?? '';
}

export function describeOptions(command: Omit<Command, 'run'>): Row[] {
  const own = Object.entries(command.options ?? {})
    .filter(([, { hidden }]) => !hidden)
    .map(([name, { help, value }]): Row => [value === undefined ? `--${name}` : `--${name} <${value}>`, help]);
  const fromSettings = (command.settings ?? []).flatMap((key): Row[] => {
    const { flag, help, fallback, schema } = settings[key as SettingKey] as Setting<unknown>;
    if (flag === undefined || command.options?.[flag]) return [];
    const { type } = schema.json;
    const value = type === 'boolean' ? '' : ` <${type === 'integer' ? 'number' : 'text'}>`;
    return [[`--${flag}${value}`, `${help}${describeDefault(fallback)}`]];
  });
  const json: Row[] = command.options?.json ? [] : [['--json', 'Print the result as JSON']];
  return [...own, ...fromSettings, ...json, ['--help', 'Print this page']];
}

/** False and empty defaults are omitted. */
export function describeDefault(fallback: unknown): string {
  return typeof fallback === 'number' || fallback === true || (typeof fallback === 'string' && fallback !== '')
    ? ` (default ${fallback})`
    : '';
}

function widthOfHelp({ width }: HelpStyle): number {
  return Number.isFinite(width) ? width : usualWidth;
}

/** A name that is too long for its column has the text on the next lines. */
function renderRows(rows: readonly Row[], width: number): string[] {
  const most = Math.floor(width * 0.4);
  const column = Math.max(...rows.map(([name]) => (name.length > most ? 0 : name.length)));
  return rows.flatMap(([name, text]) => {
    const lines = hangText(`  ${name.length > column ? '' : name}`.padEnd(column + 4), text, width);
    return name.length > column ? [`  ${name}`, ...lines] : lines;
  });
}

/** Beside each other if all fit, so that lines can be copied whole. */
function renderExamples(examples: readonly Row[], width: number): string[] {
  const column = Math.max(...examples.map(([line]) => line.length));
  const fits = examples.every(([, meaning]) => column + meaning.length + 4 <= width);
  return fits
    ? examples.map(([line, meaning]) => `  ${line.padEnd(column)}  ${meaning}`)
    : examples.flatMap(([line, meaning]) => [`  ${line}`, ...hangText('      ', meaning, width)]);
}

function renderExitStatus(style: HelpStyle): string[] {
  const title = 'Exit status';
  const lines = joinFacts(exitStatusFacts, widthOfHelp(style) - title.length - 2);
  return lines.map((line, at) => `${at === 0 ? style.bold(title) : ' '.repeat(title.length)}  ${line}`);
}

function hangTitle(title: string, text: string, style: HelpStyle): string[] {
  const [first = '', ...rest] = hangText(`${title}  `, text, widthOfHelp(style));
  return [`${style.bold(title)}${first.slice(title.length)}`, ...rest];
}
