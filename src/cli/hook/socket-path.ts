// The socket on which a server answers the hooks of its folder, in the user's data folder, which only the user can access.
// Starting a process and loading the index for every prompt would cost more than the answer.
import { dirname, join } from 'node:path';
import { defaultLocation } from '../../core/location.ts';

/** Must be equal on both sides, or the answer would be for another project. */
export interface Common {
  folder: string;
  database: string;
}

export interface HookQuestion extends Common {
  event: string;
  /** The agent's input, unchanged. */
  input: string;
}

/** Prefix of every answer, which may be empty; without it there is no answer. */
export const answerMark = '+';

export function describeCommon(folder: string, env: NodeJS.ProcessEnv): Common {
  return { folder, database: [env.LORE_DB, env.CONTEXTGRAPH_DB, env.LORE_CONFIG].join('\n') };
}

/** Socket paths have a length limit. */
const maxLength = 100;

/** Undefined on systems without sockets in the file system. */
export function socketOf(common: Common, env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'win32') return undefined;
  const path = join(dirname(defaultLocation(env)), 'run', `${sum(`${common.folder}\n${common.database}`)}.sock`);
  return Buffer.byteLength(path) > maxLength ? undefined : path;
}

/** Hashes may collide, so the server compares the original values. */
function sum(text: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (const byte of Buffer.from(text)) {
    high = Math.imul(high ^ byte, 0x01000193) >>> 0;
    low = (Math.imul(low, 31) + byte) >>> 0;
  }
  return high.toString(36) + low.toString(36);
}
