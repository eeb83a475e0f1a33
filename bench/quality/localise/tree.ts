// A repository at a commit, read from its history without a checkout.
import { execFileSync, spawn } from 'node:child_process';

export interface TreeFile {
  path: string;
  blob: string;
  size: number;
}

const trusted = ['-c', 'safe.directory=*'];

export function listTree(git: string, commit: string): TreeFile[] {
  const said = execFileSync('git', [...trusted, '--git-dir', git, 'ls-tree', '-r', '-l', '-z', commit], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return said.split('\0').flatMap((entry) => {
    const [facts = '', path] = entry.split('\t');
    const [, type, blob = '', size] = facts.split(/\s+/);
    return path !== undefined && type === 'blob' ? [{ path, blob, size: Number(size) }] : [];
  });
}

/** What changed before, as git tells it. */
export function readLog(git: string, commit: string, args: readonly string[]): string {
  return execFileSync('git', [...trusted, '--git-dir', git, ...args, commit], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** The texts of blobs, in the order asked for. */
export async function* readBlobs(git: string, blobs: readonly string[]): AsyncGenerator<string> {
  const child = spawn('git', [...trusted, '--git-dir', git, 'cat-file', '--batch'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(`${blobs.join('\n')}\n`);
  let rest: Buffer = Buffer.alloc(0);
  let wanted = -1;
  for await (const part of child.stdout) {
    rest = rest.length === 0 ? (part as Buffer) : Buffer.concat([rest, part as Buffer]);
    for (;;) {
      if (wanted < 0) {
        const end = rest.indexOf(10);
        if (end < 0) break;
        wanted = Number(rest.subarray(0, end).toString().split(' ')[2] ?? 0);
        rest = rest.subarray(end + 1);
      }
      if (rest.length < wanted + 1) break;
      yield rest.subarray(0, wanted).toString('utf8');
      rest = rest.subarray(wanted + 1);
      wanted = -1;
    }
  }
}
