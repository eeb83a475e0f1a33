// The socket on which a server answers the hooks of its folder, in the user's data folder, which only the user can access.
// Starting a process and loading the index for every prompt would cost more than the answer.
import { dirname, join } from 'node:path';
import { defaultLocation } from '../../core/location.ts';

/** What the asking and the answering side must have in common, or the answer would be another project's. */
export interface Common {
  folder: string;
  database: string;
}

export interface HookQuestion extends Common {
  event: string;
  /** What the program said, as it said it. */
  input: string;
}

/** Before an answer, which may be empty; without it there was none. */
export const answerMark = '+';

export function describeCommon(folder: string, env: NodeJS.ProcessEnv): Common {
  return { folder, database: [env.LORE_DB, env.CONTEXTGRAPH_DB, env.LORE_CONFIG].join('\n') };
}

/** Longer paths are not sockets' names. */
const maxLength = 100;

/** None where sockets have no place among files. */
export function socketOf(common: Common, env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'win32') return undefined;
  const path = join(dirname(defaultLocation(env)), 'run', `${sum(`${common.folder}\n${common.database}`)}.sock`);
  return Buffer.byteLength(path) > maxLength ? undefined : path;
}

/** Two names may meet in one sum: whoever answers compares what it was made of. */
function sum(text: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (const byte of Buffer.from(text)) {
    high = Math.imul(high ^ byte, 0x01000193) >>> 0;
    low = (Math.imul(low, 31) + byte) >>> 0;
  }
  return high.toString(36) + low.toString(36);
}
