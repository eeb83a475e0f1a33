// Runs a script as another user of this machine, which needs root.
import { execFile } from 'node:child_process';
import { root } from './bundle.ts';

/** Debian's and most others' "nobody". */
const otherUid = 65_534;

/** Why it cannot be done here, if it cannot. */
export const noOtherUser =
  process.platform !== 'linux'
    ? 'connections show their user only on Linux'
    : process.getuid?.() !== 0
      ? 'only root can start a process of another user'
      : '';

/** The other user cannot read our folder, where another version of Node may be. */
const program = process.execPath.startsWith(root) ? 'node' : process.execPath;

/** What the script prints; it runs as a module with Node alone. */
export function runAsOther(script: string, args: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const node = ['--input-type=module', '-e', script, ...args];
    const options = { uid: otherUid, gid: otherUid, cwd: '/', env: { PATH: process.env.PATH } };
    execFile(program, node, options, (error, stdout) => (error ? reject(error) : resolve(stdout.trim())));
  });
}
