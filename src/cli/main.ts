// The entry point of the command line: finds the command, parses its options, and converts errors to a message and an exit
// status.

import type { Output } from '../core/command.ts';
import { type LoreError, toLoreError } from '../core/error.ts';
import { readArguments } from './arguments.ts';
import { loadCommands } from './commands/index.ts';
import { exitStatus } from './exit-status.ts';
import { broughtCommands, listedTools, withApp, withCommand } from './find-command.ts';
import { createOutput } from './output.ts';
import { takeProject } from './project-flag.ts';
import { checkWords } from './usage.ts';
import { explainUsage } from './usage-error.ts';

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  // Words after -- are text.
  const switches = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const wantsHelp = switches.includes('--help') || switches.includes('-h');
  const output = createOutput(switches.includes('--json'));
  try {
    if (first === undefined && !process.stdin.isTTY) return await runCommand(['stdio'], output);
    if (first === undefined || first === '--help' || first === '-h') return await printHelp([], output);
    if (first === 'help')
      return await printHelp(
        rest.filter((word) => !word.startsWith('-')),
        output,
      );
    if (first === '--version' || first === '-v') return await runCommand(['version', ...rest], output);
    return wantsHelp ? await printHelp(args, output) : await runCommand(args, output);
  } catch (error) {
    const failure = toLoreError(error, 'run the command');
    if (failure.word === 'internal') output.note(String((failure.cause as Error)?.stack ?? failure.cause));
    const { describeFailure } = await import('./describe-failure.ts');
    output.note(describeFailure(failure, output.style.width));
    await printAdvice(failure, output);
    return exitStatus[failure.word];
  }
}

async function printAdvice({ advice }: LoreError, output: Output): Promise<void> {
  if (advice.length === 0) return;
  const { showHidden } = await import('../core/text/fence.ts');
  for (const { id, text } of advice) output.note(`This fixed it before (${id}):\n${showHidden(text)}`);
}

function runCommand(args: readonly string[], output: Output): Promise<number> {
  return withCommand(args, 'error', async (command, rest) => {
    const { words, options, flags } = readArguments(command, rest);
    if (!command.takesText) checkWords(command, words);
    try {
      return await command.run({ words, options, flags, output });
    } catch (error) {
      throw explainUsage(error, command, options);
    }
  });
}

async function printHelp(args: readonly string[], output: Output): Promise<number> {
  const { renderHelp, renderOverview } = await import('./help.ts');
  const page =
    args.length === 0
      ? await withApp('silent', async (app) =>
          renderOverview([...(await loadCommands()), ...broughtCommands(app)], listedTools(app), output.style),
        )
      : await withCommand(args, 'silent', async (command) => renderHelp(command, output.style));
  output.print(page);
  return 0;
}

void main(takeProject(process.argv.slice(2))).then((status) => {
  process.exitCode = status;
});
