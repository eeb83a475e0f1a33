// Reads the command line of an example as a shell and the program would; throws if it is not one.
import { readArguments } from '../../src/cli/arguments.ts';
import { checkWords } from '../../src/cli/usage.ts';
import type { Command } from '../../src/core/command.ts';

export function readExample(commands: readonly Command[], line: string): void {
  const lines = line.split(/ (?:\||&&) /).map((part) => part.replace(/ [<>] \S+$/, ''));
  for (const words of lines.map(splitWords)) {
    const at = words.indexOf('lore');
    if (at < 0 || words.slice(0, at).some((word) => !/^[A-Z_]+=/.test(word))) continue;
    readCommand(commands, words.slice(at + 1));
  }
}

function readCommand(commands: readonly Command[], words: readonly string[]): void {
  for (const count of [2, 3, 1]) {
    const name = words.slice(0, count).join('_');
    const command = commands.find((one) => one.name === name && (count === 1 || one.takesText));
    if (!command) continue;
    const read = readArguments(command, words.slice(count));
    if (!command.takesText) checkWords(command, read.words);
    return;
  }
  throw new Error('there is no such command');
}

function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) => word.replace(/["']/g, ''));
}

/** The command lines in the shell blocks of a page. */
export function documentedLines(page: string): string[] {
  const blocks = page.split(/^```/m).filter((part) => part.startsWith('sh\n'));
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n').slice(1));
  return lines
    .map((line) => line.replace(/(?:^|\s+)#.*$/, '').replace(/ &$/, ''))
    .filter((line) => /\blore /.test(line));
}
