// An error for a person at a terminal. The hint of an internal error names a log that a person at a terminal does not have.
import type { LoreError } from '../core/error.ts';
import { showHidden } from '../core/text/fence.ts';
import { wrapText } from '../core/text/terminal.ts';

export function describeFailure({ message, hint, word, details }: LoreError, width: number): string {
  const shown = [`lore: ${message}`, ...(hint === undefined || word === 'internal' ? [] : [hint])];
  // The words of another program, which are not ours.
  const foreign = details?.response ?? details?.stderr;
  const quoted = typeof foreign === 'string' && foreign !== '' ? showHidden(foreign).trimEnd().split('\n') : [];
  return [
    ...shown.flatMap((text) => wrapText(text, width)),
    ...quoted.flatMap((line) => wrapText(line, width - 2)).map((line) => `| ${line}`),
  ].join('\n');
}
