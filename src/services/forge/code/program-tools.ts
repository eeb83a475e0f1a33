// The commands of a program as tools: one for each command that has no further ones, found by asking it for help.
import { LoreError } from '../../../core/error.ts';
import { runProgram } from '../../../core/program/program.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import type { Effect } from '../../../core/tool.ts';
import { destroying } from '../openapi/operation.ts';
import { findPython } from './call-function.ts';
import type { CommandTool, ProgramFile } from './code-tool.ts';
import { type HelpOption, type HelpText, readHelp } from './help-text.ts';

const deepest = 4;
const mostCommands = 200;
const limits = { timeoutMs: 10_000, silenceMs: 10_000, maxBytes: 500_000 };
const reading =
  /^(?:list|ls|get|show|status|describe|search|find|info|version|view|log|logs|diff|cat|check|count|stat|stats|tree|which|whoami|explain|inspect|read|print|query|top|history|lookup|verify|validate)$/;

/** The program and the arguments before all others. */
export function commandOf({ program, runner }: ProgramFile, folder: string): { program: string; args: string[] } {
  if (runner === 'python') return { program: findPython(folder), args: [program] };
  return runner === 'node' ? { program: process.execPath, args: [program] } : { program, args: [] };
}

export async function listCommands(program: ProgramFile, folder: string, signal?: AbortSignal): Promise<CommandTool[]> {
  const tools: CommandTool[] = [];
  const pending: { words: string[]; summary: string; above: string }[] = [{ words: [], summary: '', above: '' }];
  for (const { words, summary, above } of pending) {
    const text = await askHelp(program, folder, words, signal);
    // Some programs print the same help for every command.
    const help = readHelp(text === above ? '' : text);
    const inner = words.length < deepest ? help.commands : [];
    if (pending.length + inner.length <= mostCommands)
      pending.push(...inner.map((one) => ({ words: [...words, one.name], summary: one.summary, above: text })));
    if (inner.length === 0) tools.push(describeCommand(program, words, help, summary));
  }
  return tools;
}

async function askHelp(program: ProgramFile, folder: string, words: readonly string[], signal?: AbortSignal) {
  const { program: file, args } = commandOf(program, folder);
  const text = await runProgram({
    ...limits,
    program: file,
    args: [...args, ...words, '--help'],
    action: `read the help of "${program.program}"`,
    folder,
    // Some print it as an error.
    accepts: () => true,
    signal,
  });
  if (text.trim() !== '') return text;
  throw new LoreError('unavailable', `Cannot read the help of "${program.program}": it prints none on stdout`);
}

function describeCommand(program: ProgramFile, words: readonly string[], help: HelpText, summary: string): CommandTool {
  const own =
    program.program
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? 'run';
  const name = (words.length > 0 ? words.join('_') : own).toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const used = new Set(help.positionals.map((one) => one.name));
  const options = help.options.map((option) => {
    const plain = option.flag.replace(/^-+/, '').replace(/[^\w]+/g, '_');
    return { ...option, argument: used.has(plain) ? `${plain}_option` : plain };
  });
  const properties: [string, JsonSchema, boolean][] = [
    ...help.positionals.map((one): [string, JsonSchema, boolean] => [
      one.name,
      { ...(one.isRepeated ? listOfTexts : { type: 'string' }), description: one.description },
      one.isRequired,
    ]),
    ...options.map((one): [string, JsonSchema, boolean] => [one.argument, schemaOf(one), one.isRequired]),
  ];
  return {
    kind: 'command',
    name: name.replace(/^_+|_+$/g, '') || 'run',
    summary: help.summary || summary || [own, ...words].join(' '),
    description: summary,
    effect: effectOfWords(words),
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties.map(([key, schema]) => [key, schema])),
      required: properties.filter(([, , isRequired]) => isRequired).map(([key]) => key),
      additionalProperties: false,
    },
    program,
    words,
    options: options.map(({ argument, flag, takesValue }) => ({ argument, flag, takesValue })),
    positionals: help.positionals.map((one) => one.name),
  };
}

const listOfTexts = { type: 'array', items: { type: 'string' } };

function schemaOf({ takesValue, value, choices, isRepeated, description }: HelpOption): JsonSchema {
  const one = choices
    ? { enum: choices }
    : /^(?:integer|int|number|num|float|n|count|port|uint\d*|int\d+)$/i.test(value)
      ? { type: 'number' }
      : { type: 'string' };
  const schema = !takesValue ? { type: 'boolean' } : isRepeated ? { type: 'array', items: one } : one;
  return { ...schema, ...(description !== '' && { description }) };
}

function effectOfWords(words: readonly string[]): Effect {
  if (
    words.some(
      (word) => destroying.test(word.replaceAll('-', '_')) || /^(?:rm|remove|uninstall|prune|reset)$/.test(word),
    )
  )
    return 'destroy';
  return words.some((word) => reading.test(word.split('-')[0] as string)) ? 'read' : 'write';
}

/** The argument list. Values can be neither options nor commands of a shell. */
export function buildArguments(
  { words, options, positionals }: CommandTool,
  args: { readonly [name: string]: unknown },
) {
  const given = options.flatMap(({ argument, flag, takesValue }) => {
    const value = args[argument];
    if (value === undefined || value === false) return [];
    if (!takesValue) return [flag];
    return [value].flat().flatMap((one) => {
      const text = String(one);
      if (flag.startsWith('--')) return [`${flag}=${text}`];
      if (text.startsWith('-'))
        throw new LoreError('invalid_input', `Cannot use "${text}" for ${flag}: it would be read as an option`);
      return [flag, text];
    });
  });
  const rest = positionals.flatMap((name) => [args[name] ?? []].flat().map(String));
  return [...words, ...given, ...(rest.length > 0 ? ['--', ...rest] : [])];
}
