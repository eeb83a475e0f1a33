// What runs on this machine, read from /proc: whose group a process is in, and in which folder it works.
// A server that outlives its client is a fault, and only the kernel knows of it. Elsewhere than Linux: undefined.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** @returns {{pid: number, group: number, zombie: boolean, cwd: string, home: string, command: string}[] | undefined} */
function listProcesses() {
  if (!existsSync('/proc/self/stat')) return undefined;
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
}

function readProcess(pid) {
  try {
    // The second field is a name in parentheses that may itself hold spaces, so fields are counted after the last one.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return [
      {
        pid,
        group: Number(fields[2]),
        zombie: fields[0] === 'Z' || fields[0] === 'X',
        cwd: readlinkSync(`/proc/${pid}/cwd`),
        home: environment.find((pair) => pair.startsWith('HOME='))?.slice(5) ?? '',
        command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim(),
      },
    ];
  } catch {
    return []; // Gone meanwhile, or another user's.
  }
}

/** Processes of a group that still run; undefined where the kernel cannot be asked. */
export function findGroup(group) {
  return listProcesses()?.filter((one) => one.group === group && !one.zombie);
}

/** Processes that work in, or call home, a folder of ours: also those that left the group of the client. */
export function findInFolder(folder) {
  return listProcesses()?.filter((one) => !one.zombie && (one.cwd.startsWith(folder) || one.home.startsWith(folder)));
}
