// Runs the built command line as a person or a client does, with none of the settings of whoever runs the tests.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './bundle.ts';
import { createFolder } from './folder.ts';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Shared, since compiling the program takes longer than most of its commands. */
const cache = join(root, '.cache/lore');

export function spawnLore(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): ChildProcessWithoutNullStreams {
  const folder = createFolder('home');
  return spawn(process.execPath, [join(root, 'bin/lore.cjs'), ...args], {
    cwd: cwd ?? createFolder('work'),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CACHE_HOME: cache,
      LORE_CONFIG: join(folder, 'config.json'),
      // Loading the model of the deep ranking would take longer than most servers run here.
      LORE_RANK: 'fast',
      ...env,
    },
  });
}

export async function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => {
    stdout += part;
  });
  child.stderr.on('data', (part: Buffer) => {
    stderr += part;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export function runLore(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; cwd?: string } = {},
) {
  const child = spawnLore(args, options.env, options.cwd);
  const finished = finish(child);
  child.stdin.end(options.input ?? '');
  return finished;
}
