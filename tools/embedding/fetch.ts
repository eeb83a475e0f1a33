// Brings a package's tarball from the registry by npm and unpacks it, without its dependencies or scripts. The integrity
// stands in our own list: what was fitted on is what a later run will read.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './paths.ts';

/** Returns the folder of the unpacked package. */
export function fetchPackage(name: string, version: string, integrity: string): string {
  const folder = join(cacheFolder, 'packages', `${name.replace('/', '+')}@${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  const scratch = `${folder}.part`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(join(scratch, 'package'), { recursive: true });
  execFileSync('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent'], {
    cwd: scratch,
    stdio: 'ignore',
  });
  const tarball = join(scratch, readdirSync(scratch).find((file) => file.endsWith('.tgz')) as string);
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (found !== integrity) throw new Error(`Cannot use package "${name}@${version}": its integrity is ${found}`);
  // Some tarballs name their top folder differently: it is always dropped.
  execFileSync('tar', ['-xzf', tarball, '-C', join(scratch, 'package'), '--strip-components=1']);
  rmSync(tarball);
  renameSync(scratch, folder);
  return join(folder, 'package');
}
