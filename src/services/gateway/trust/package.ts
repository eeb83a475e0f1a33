// The npm package that a mounted command runs: what npx resolved, or the package around a script or program. An approval is for one
// version of it, with the hash that npm recorded when it was installed.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import { isObject } from '../../../core/schema.ts';
import type { MountCommand } from '../mount/mount.ts';

export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
}

type Json = { readonly [key: string]: unknown };

/** Undefined if it is no npm package, or not one that can be found. */
export function findPackage(command: MountCommand, home = homedir()): PackageFacts | undefined {
  const { program, args, folder = home } = command;
  const runner = basename(program).replace(/\.(?:cmd|exe)$/i, '');
  const isNpm = runner === 'npm' && (args[0] === 'exec' || args[0] === 'x');
  if (runner === 'npx' || isNpm) {
    const cache = findCache(home);
    const found = readSpecs(isNpm ? args.slice(1) : args).map((spec) => findResolved(spec, folder, cache));
    return found.find((one) => one !== undefined);
  }
  const script = runner === 'node' ? args.find((word) => !word.startsWith('-')) : program;
  const path = script === undefined ? undefined : findProgram(script, folder);
  return path === undefined ? undefined : readAround(path);
}

/** Where the server's npm keeps packages: it has none of our variables, but reads the user's settings. */
function findCache(home: string): string {
  const [, named] = /^[ \t]*cache[ \t]*=[ \t]*"?(.*?)"?[ \t]*\r?$/m.exec(readText(join(home, '.npmrc'))) ?? [];
  if (named) return resolve(home, named.replace(/^~(?=[\\/])|\$\{HOME\}/, home));
  const { LOCALAPPDATA: local } = process.env;
  return process.platform === 'win32' && local ? join(local, 'npm-cache') : join(home, '.npm');
}

/** The packages that npx may be asked for: that of `--package`, or a word, of which the first ones may be values of options. */
function readSpecs(args: readonly string[]): string[] {
  const at = args.findIndex((word) => word === '-p' || word === '--package' || word.startsWith('--package='));
  const named = args[at]?.includes('=') ? args[at]?.slice('--package='.length) : args[at + 1];
  return at < 0 ? args.filter((word) => !word.startsWith('-')) : [named ?? ''];
}

/** In the folder of the server, or where npx installs packages: one folder for each list of them. */
function findResolved(spec: string, folder: string, cache: string): PackageFacts | undefined {
  const [, name = ''] = /^((?:@[^/@]+\/)?[^/@]+)(?:@.*)?$/.exec(spec) ?? [];
  if (name === '') return undefined;
  if (name === spec) {
    const local = readInstalled(folder, name);
    if (local) return local;
  }
  const folders = list(join(cache, '_npx')).map((entry) => join(cache, '_npx', entry));
  const fitting = folders.filter((one) => {
    const { _npx: wanted } = readJson(join(one, 'package.json'));
    return isObject(wanted) && Array.isArray(wanted.packages) && wanted.packages.includes(spec);
  });
  const newest = fitting.sort((a, b) => changedAt(b) - changedAt(a))[0];
  return newest === undefined ? undefined : readInstalled(newest, name);
}

function findProgram(program: string, folder: string): string | undefined {
  const isPath = isAbsolute(program) || /[\\/]/.test(program);
  const candidates = isPath
    ? [resolve(folder, program)]
    : (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':').map((one) => join(one, program));
  for (const candidate of candidates) {
    try {
      return realpathSync(candidate);
    } catch {
      // Not there.
    }
  }
  return undefined;
}

/** Only installed packages: a script of the user's own changes as often as they like. */
function readAround(path: string): PackageFacts | undefined {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  const [first = '', second = ''] = parts.slice(at + 1);
  return readInstalled(parts.slice(0, at).join(sep), first.startsWith('@') ? `${first}/${second}` : first);
}

function readInstalled(root: string, name: string): PackageFacts | undefined {
  const { version } = readJson(join(root, 'node_modules', name, 'package.json'));
  if (typeof version !== 'string') return undefined;
  const locks = [join(root, 'node_modules', '.package-lock.json'), join(root, 'package-lock.json')];
  const integrity = locks.map((lock) => readIntegrity(lock, name)).find((found) => found !== undefined);
  return { name, version, ...(integrity !== undefined && { integrity }) };
}

function readIntegrity(lock: string, name: string): string | undefined {
  const { packages } = readJson(lock);
  const entry = isObject(packages) ? packages[`node_modules/${name}`] : undefined;
  return isObject(entry) && typeof entry.integrity === 'string' ? entry.integrity : undefined;
}

function readJson(file: string): Json {
  try {
    const value: unknown = JSON.parse(readText(file));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function changedAt(folder: string): number {
  return statSync(join(folder, 'package.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
