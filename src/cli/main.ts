// The entry point of the command line: finds the command, parses its options, and converts errors to a message and an exit
// status.

import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { type SettingKey, settings } from '../config/settings.ts';
import { localCaller } from '../core/call.ts';
import type { Command, Given, Output } from '../core/command.ts';
import { LoreError, toLoreError } from '../core/error.ts';
import type { LogThreshold } from '../core/log.ts';
import type { Setting } from '../core/setting.ts';
import { commands, findCommand, loadCommands } from './commands/index.ts';
import { exitStatus } from './exit-status.ts';
import { createOutput } from './output.ts';
import { takeProject } from './project-flag.ts';

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  const wantsHelp = rest.includes('--help') || rest.includes('-h');
  const output = createOutput(rest.includes('--json'));
  try {
    if (first === undefined && !process.stdin.isTTY) return await runCommand('stdio', [], output);
    if (first === undefined || first === '--help' || first === '-h') return await printHelp(undefined, output);
    if (first === 'help') return await printHelp(rest[0], output);
    if (first === '--version' || first === '-v') return await runCommand('version', rest, output);
    if (wantsHelp) return await printHelp(first, output);
    return await runCommand(first, rest, output);
  } catch (error) {
    const failure = toLoreError(error, 'run the command');
    if (failure.word === 'internal') output.note(String((failure.cause as Error)?.stack ?? failure.cause));
    output.note(`lore: ${failure.message}`);
    if (failure.hint !== undefined && failure.word !== 'internal') output.note(failure.hint);
    await printAdvice(failure, output);
    return exitStatus[failure.word];
  }
}

async function printAdvice({ advice }: LoreError, output: Output): Promise<void> {
  if (advice.length === 0) return;
  const { showHidden } = await import('../core/text/fence.ts');
  for (const { id, text } of advice) output.note(`This fixed it before (${id}):\n${showHidden(text)}`);
}

/** Runs `use` with a command: a built-in one, or one of a service or tool while the app runs. */
async function withCommand<T>(
  name: string,
  threshold: LogThreshold,
  use: (command: Command) => Promise<T>,
): Promise<T> {
  const command = await findCommand(name);
  if (command) return use(command);
  return withApp(threshold, async (app) => {
    const brought = app.offered.flatMap((service) => service.commands?.() ?? []);
    const own = brought.find((candidate) => candidate.name === name);
    if (own) return use(own);
    // Includes tools without permission: calling one explains how to allow it.
    const all = app.registry.permissions().map(({ tool }) => tool);
    const tools = all.filter(({ scope }) => scope === undefined);
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool) return use((await import('./tool-command.ts')).defineToolCommand(tool, app));
    const names = [...Object.keys(commands), ...[...brought, ...tools].map((known) => known.name)];
    throw new LoreError('invalid_input', `Cannot run "${name}": there is no such command`, {
      hint: `Commands: ${names.join(', ')}. lore help describes them.`,
    });
  });
}

async function withApp<T>(threshold: LogThreshold, use: (app: App) => Promise<T>): Promise<T> {
  const { startOnce } = await import('./start.ts');
  const app = await startOnce({ flags: {} }, threshold);
  try {
    return await use(app);
  } finally {
    await app.stop();
  }
}

function runCommand(name: string, args: string[], output: Output): Promise<number> {
  return withCommand(name, 'error', async (command) => {
    const { words, options, flags } = readArguments(command, args);
    return command.run({ words, options, flags, output });
  });
}

type Known = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

function readArguments(command: Command, args: string[]) {
  const flagKeys = new Map<string, string>();
  const known: Known = { json: { type: 'boolean' }, ...command.options };
  for (const key of command.settings ?? []) {
    const row: Setting<unknown> | undefined = settings[key as SettingKey];
    if (row?.flag === undefined) continue;
    flagKeys.set(row.flag, key);
    const { type } = row.schema.json;
    known[row.flag] = { type: type === 'boolean' ? 'boolean' : 'string', multiple: type === 'array' };
  }
  const { values, positionals } = parse(command, args, known);
  const flags: Record<string, Given> = {};
  for (const [flag, key] of flagKeys) if (values[flag] !== undefined) flags[key] = values[flag];
  return { words: positionals, options: values, flags };
}

function parse(command: Command, args: string[], options: Known) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { values: values as Record<string, Given | undefined>, positionals };
  } catch (error) {
    const reason = (error as Error).message.split('. ')[0];
    throw new LoreError('invalid_input', `Cannot run "${command.name}": ${reason}`, {
      hint: `lore ${command.name} --help lists its options.`,
    });
  }
}

async function printHelp(name: string | undefined, output: Output): Promise<number> {
  const { renderHelp, renderOverview } = await import('./help.ts');
  const page =
    name === undefined
      ? await withApp('silent', async ({ registry, offered }) => {
          const brought = offered.flatMap((service) => service.commands?.() ?? []);
          return renderOverview([...(await loadCommands()), ...brought], registry.tools(localCaller), output);
        })
      : await withCommand(name, 'silent', async (command) => renderHelp(command, output));
  output.print(page);
  return 0;
}

void main(takeProject(process.argv.slice(2))).then((status) => {
  process.exitCode = status;
});
