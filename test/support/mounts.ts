// A program among mounts of its own: a small disk, a folder or file that cannot be written. They end with the program, and
// nothing outside sees them.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';

const isRoot = process.getuid?.() === 0;
const privately = ['--mount', ...(isRoot ? [] : ['--map-root-user']), 'sh', '-c'];

/** Linux, and allowed to mount. */
export const canMount = spawnSync('unshare', [...privately, 'mount -t tmpfs tmpfs /mnt']).status === 0;

export function mountDisk(folder: string, bytes: number): string {
  return `mount -t tmpfs -o size=${bytes} tmpfs '${folder}'`;
}

/** A folder or a file. */
export function mountReadOnly(path: string): string {
  return `mount --bind '${path}' '${path}' && mount -o remount,bind,ro '${path}'`;
}

export function spawnAmongMounts(
  mounts: readonly string[],
  program: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcessWithoutNullStreams {
  const script = [...mounts, 'exec "$@"'].join(' && ');
  return spawn('unshare', [...privately, script, 'sh', ...program], { env });
}
