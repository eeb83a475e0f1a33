// The command line's entry: finds the command, reads its options, and turns what goes wrong into a sentence and a status.
import { parseArgs } from 'node:util';
import { settings } from '../config/settings.ts';
import { LoreError, toLoreError } from '../core/error.ts';
import { type Command, exitStatus } from './command.ts';
import { commands } from './commands/index.ts';
import { createOutput, type Output } from './output.ts';

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
    return exitStatus[failure.word];
  }
}

async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return load();
  throw new LoreError('invalid_input', `Cannot run "${name}": there is no such command`, {
    hint: `Commands: ${Object.keys(commands).join(', ')}. lore help tells more.`,
  });
}

async function runCommand(name: string, args: string[], output: Output): Promise<number> {
  const command = await loadCommand(name);
  const { words, options, flags } = readArguments(command, args);
  return command.run({ words, options, flags, output });
}

function readArguments(command: Command, args: string[]) {
  const flagKeys = new Map<string, string>();
  const known: Record<string, { type: 'string' | 'boolean' }> = { json: { type: 'boolean' }, ...command.options };
  for (const key of command.settings ?? []) {
    const row = settings[key];
    if (!('flag' in row)) continue;
    flagKeys.set(row.flag, key);
    known[row.flag] = { type: row.schema.json.type === 'boolean' ? 'boolean' : 'string' };
  }
  const { values, positionals } = parse(command, args, known);
  const flags: Record<string, string | boolean> = {};
  for (const [flag, key] of flagKeys) if (values[flag] !== undefined) flags[key] = values[flag];
  return { words: positionals, options: values, flags };
}

function parse(command: Command, args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    const reason = (error as Error).message.split('. ')[0];
    throw new LoreError('invalid_input', `Cannot run "${command.name}": ${reason}`, {
      hint: `lore ${command.name} --help lists its options.`,
    });
  }
}

async function printHelp(name: string | undefined, output: Output): Promise<number> {
  const { renderHelp, renderOverview } = await import('./help.ts');
  output.print(name === undefined ? await renderOverview(output) : renderHelp(await loadCommand(name), output));
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
