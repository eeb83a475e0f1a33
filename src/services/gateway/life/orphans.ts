// Ends the processes of servers whose holder was killed before it could end them. Each server has a mark in its environment, which
// its own children inherit, so that no other process can be mistaken for one of them.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '../../../core/id.ts';

export const markVariable = 'LORE_UPSTREAM';
const ending = '.child';

export interface ChildRecord {
  readonly mark: string;
  remove(): void;
}

/** Written before the process is started. */
export function recordChild(folder: string, name: string): ChildRecord {
  const mark = createId('up');
  const file = join(folder, `${name}.${mark}${ending}`);
  writeFileSync(file, '', { mode: 0o600 });
  return { mark, remove: () => rmSync(file, { force: true }) };
}

/** Names of servers that run, or that nobody ended. */
export function listRecorded(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(ending)) : [];
  return [...new Set(files.map((file) => file.slice(0, file.indexOf('.'))))];
}

/** All servers of this name. Only the holder of its lock may do this, before it starts one. */
export function endOrphans(folder: string, name: string): void {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && file.endsWith(ending));
  if (files.length === 0) return;
  const marks = files.map((file) => `${markVariable}=${file.slice(name.length + 1, -ending.length)}\0`);
  for (const pid of findMarked(marks)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  for (const file of files) rmSync(join(folder, file), { force: true });
}

/** Other systems do not show the environment of a process; there, servers end with their standard input. */
function findMarked(marks: readonly string[]): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && pid !== process.pid && marks.some((mark) => environmentOf(pid).includes(mark)),
    );
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
