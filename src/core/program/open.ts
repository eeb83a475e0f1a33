// Starts a program that stays, and talks with it: by the rules of `program.ts`, but without limits on time and output, which
// are up to the caller. Its whole process group ends with it, with this process, or on request.
import type { Readable, Writable } from 'node:stream';
import { LoreError } from '../error.ts';
import { endChild, explainStart, startChild } from './child.ts';
import { type Program, prepareProgram } from './program.ts';

export interface OpenProgram {
  readonly pid: number;
  readonly input: Writable;
  readonly output: Readable;
  /** Its stderr. */
  readonly complaint: Readable;
  /** Its status, or why it has none. */
  readonly ended: Promise<number | Error>;
  /** Closes its input, asks the group to end, and ends it a moment later. */
  end(): void;
}

/** Throws if it cannot be started. */
export async function openProgram(
  run: Pick<Program, 'program' | 'args' | 'folder' | 'outside' | 'env'>,
): Promise<OpenProgram> {
  if (run.args.some((argument) => argument.includes('\0')))
    throw new LoreError('invalid_input', `Cannot run "${run.program}": a value contains a NUL character`);
  const { file, env } = prepareProgram(run);
  const { child, ended } = startChild(run, file, env, 'pipe');
  const { pid, stdin: input } = child;
  if (pid === undefined || !input || !child.stdout) throw explainStart(run.program, (await ended) as Error);
  // Writing to a program that has just ended is reported by `ended`.
  input.on('error', () => {});
  return {
    pid,
    input,
    output: child.stdout,
    complaint: child.stderr,
    ended,
    end() {
      input.end();
      endChild(child);
    },
  };
}
