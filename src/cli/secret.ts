// Reads a secret for a command. Secrets have no option: other users of the machine could read it.
import { LoreError } from '../core/error.ts';
import { readAll } from './input.ts';

/** From a pipe, or typed without being shown. */
export async function readSecret(what: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true) return checkSecret(await readAll(stdin));
  stderr.write(`Enter ${what}: `);
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const silent = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return checkSecret(await terminal.question(''));
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}

function checkSecret(text: string): string {
  const secret = text.trim();
  if (secret !== '' && !/[\r\n]/.test(secret)) return secret;
  throw new LoreError('invalid_input', 'Cannot store the secret: expected one line');
}
