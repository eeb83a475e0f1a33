// A program that answers from what was written down: everything it is asked is kept.
import { LoreError } from '../../src/core/error.ts';
import type { Run } from '../../src/services/system/reg/settings-store.ts';

/** By the first two words of its arguments. */
export function record(answers: Record<string, string>) {
  const asked: string[][] = [];
  const run = (): Run => async (program, args, explain) => {
    asked.push([program, ...args]);
    const answer = answers[args.slice(0, 2).join(' ')];
    if (answer !== undefined) return answer;
    throw explain?.('') ?? new LoreError('unavailable', 'Cannot run it');
  };
  return { run, asked };
}
