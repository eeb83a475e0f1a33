// A program of another platform, played by a script: it writes down how it was called, and says what was recorded.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './folder.ts';

interface Recorded {
  program: string;
  /** The arguments of each call. */
  calls(): string[][];
}

/** By the first argument; what is not recorded fails as `status` says. */
export function playProgram(name: string, answers: Record<string, string | Buffer>, status = 1): Recorded {
  const folder = createFolder(name);
  const [program, record] = [join(folder, name), join(folder, 'calls')];
  for (const [word, answer] of Object.entries(answers)) writeFileSync(join(folder, `answer-${word}`), answer);
  writeFileSync(
    program,
    `#!/bin/sh
{ printf '%s\\0' "$@"; printf '\\n\\0'; } >> '${record}'
[ -f "${folder}/answer-$1" ] || exit ${status}
exec cat "${folder}/answer-$1"
`,
  );
  chmodSync(program, 0o755);
  return {
    program,
    calls() {
      if (!existsSync(record)) return [];
      const ended = readFileSync(record, 'utf8').split('\n\0');
      return ended.slice(0, -1).map((call) => call.split('\0').slice(0, -1));
    },
  };
}
