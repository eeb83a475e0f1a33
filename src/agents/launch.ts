// The command that starts us: the current Node and script, by paths that survive an upgrade, or npx if it installed us from
// the registry. Files that other machines read contain no paths of this one.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve, sep } from 'node:path';

export interface Launch {
  command: string;
  args: readonly string[];
}

const throughNpx: Launch = { command: 'npx', args: ['-y', 'lorekeeper'] };
const throughPath: Launch = { command: 'lore', args: [] };

/** For other machines. Only a package that npx has installed from the registry is certain to be there. */
export function describePortable(script: string): Launch {
  return isFromRegistry(script) ? throughNpx : throughPath;
}

/** Npx records the package of each folder in its cache: a version, or the file or address it came from. */
function isFromRegistry(script: string): boolean {
  const at = script.lastIndexOf(`${sep}node_modules${sep}`);
  if (at < 0 || !script.includes(`${sep}_npx${sep}`)) return false;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(script.slice(0, at), 'package.json'), 'utf8'));
    return typeof dependencies?.lorekeeper === 'string' && !/[:/\\]/.test(dependencies.lorekeeper);
  } catch {
    return false;
  }
}

interface Running {
  execPath: string;
  /** The script as given, and its real path. */
  invoked: string;
  script: string;
  env: NodeJS.ProcessEnv;
}

export function describeLaunch({ execPath, invoked, script, env }: Running): Launch {
  if (isFromRegistry(script)) return throughNpx;
  const named = resolve(invoked);
  const stays = isSame(named, script) && !isPassing(named);
  return { command: findNode(execPath, env), args: [stays ? named : script] };
}

/**
 * Package managers replace the folder of Node on an upgrade and keep the link in the PATH, so the link is preferred,
 * unless it is recreated for each shell.
 */
function findNode(execPath: string, env: NodeJS.ProcessEnv): string {
  const name = basename(execPath);
  const candidates = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const links = candidates.map((folder) => resolve(join(folder, name)));
  return links.find((link) => !isPassing(link) && existsSync(link) && isSame(link, execPath)) ?? execPath;
}

function isPassing(path: string): boolean {
  return /fnm_multishells|^\/run\//.test(path) || path.startsWith(resolve(tmpdir()) + sep);
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

/** Whether a server's entry, as a list of words, starts us. */
export function startsOurServer(words: readonly unknown[]): boolean {
  return words.includes('stdio') && words.some((word) => typeof word === 'string' && ours.test(word));
}

const ours = /(?:^|[\\/])(?:lore|lorekeeper|lore\.cjs)(?:\.cmd|\.exe|\.ps1)?(?:@[^\\/]*)?$/;

/** Whether a hook's command line calls us. */
export function callsOurHook(line: unknown): boolean {
  return typeof line === 'string' && /(?:^|[\\/\s"'])(?:lore|lorekeeper(?:@\S+)?|lore\.cjs)["']?\s+hook\s/.test(line);
}

export function writeCommandLine(words: readonly string[], platform: NodeJS.Platform, shell?: 'powershell'): string {
  if (platform !== 'win32') return words.map(quotePosix).join(' ');
  // Windows accepts forward slashes, and shells treat a backslash as an escape.
  const quoted = words
    .map((word) => word.replaceAll('\\', '/'))
    .map((word) => (/[\s()&]/.test(word) ? `"${word}"` : word));
  const call = shell === 'powershell' && quoted[0]?.startsWith('"') ? '& ' : '';
  return call + quoted.join(' ');
}

function quotePosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
