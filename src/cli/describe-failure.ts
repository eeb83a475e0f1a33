// An error for a person at a terminal. The hint of an internal error names a log that a person at a terminal does not have.
import type { LoreError } from '../core/error.ts';
import { wrapText } from '../core/text/terminal.ts';

export function describeFailure({ message, hint, word }: LoreError, width: number): string {
  const shown = [`lore: ${message}`, ...(hint === undefined || word === 'internal' ? [] : [hint])];
  return shown.flatMap((text) => wrapText(text, width)).join('\n');
}
