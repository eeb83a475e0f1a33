// Asks for a confirmation at the terminal; scripts must pass --yes.
import { LoreError } from '../core/error.ts';

export async function confirm(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new LoreError('invalid_input', 'Cannot ask for confirmation: standard input is not a terminal', {
      hint: 'Pass --yes to skip the confirmation.',
    });
  }
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
