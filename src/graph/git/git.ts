// Runs the user's git: without a shell, without programs and prompts that a repository's settings could start, and with limits
// on silence and output.
import { LoreError } from '../../core/error.ts';
import { streamProgram } from '../../core/program/program.ts';
import { identifyFolder } from '../project/project.ts';

export interface GitLimits {
  /** Without a byte for so long, it hangs. */
  silenceMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
  /** Further settings of git, as its environment has them. */
  settings?: NodeJS.ProcessEnv;
  /** May connect to a server, with the user's own credentials but without asking anybody. */
  online?: { action: string; explain(complaint: string): LoreError | undefined };
}

const defaults = { silenceMs: 60_000, maxBytes: 1 << 30 };
/** A fetch is four processes and those of a credential helper; a server must not be able to make them many or large. */
const maxUsage = { processes: 20, bytes: 1 << 30 };

/** Settings of a repository that start programs. */
const harmless = [
  'core.fsmonitor=false',
  'log.showSignature=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
];

/** What it says, part by part; with a status other than 0 it ends in an error. */
export async function* streamGit(folder: string, args: readonly string[], limits: GitLimits = {}) {
  const { silenceMs, maxBytes, online, signal } = { ...defaults, ...limits };
  refuseForeign(folder);
  yield* streamProgram({
    program: 'git',
    args: ['--no-pager', ...harmless.flatMap((pair) => ['-c', pair]), ...args],
    action: online?.action ?? `read "${folder}"`,
    folder,
    env: { ...cleanEnvironment(process.env, online !== undefined), ...limits.settings },
    signal,
    silenceMs,
    maxBytes,
    maxUsage: online && maxUsage,
    tellsProgress: online !== undefined,
    explain: (status, complaint) => online?.explain(complaint) ?? explain(folder, status, complaint),
  });
}

/** Whoever made the folder wrote its `.git` file, and could show the history of any repository in it. */
function refuseForeign(folder: string): void {
  if (!identifyFolder(folder).isForeign) return;
  throw new LoreError('forbidden', `Cannot read "${folder}": its .git leads to a repository that does not list it`, {
    hint: 'If it is a worktree or submodule of that repository: git worktree repair, or set core.worktree there.',
  });
}

/** A short answer without its last line end; nothing where git says no by its status. */
export async function askGit(
  folder: string,
  args: readonly string[],
  limits: Pick<GitLimits, 'settings' | 'silenceMs'> = {},
): Promise<string | undefined> {
  const parts: string[] = [];
  try {
    for await (const part of streamGit(folder, args, { maxBytes: 1 << 20, ...limits })) parts.push(part);
  } catch (error) {
    if (error instanceof LoreError && error.word === 'not_found') return undefined;
    throw error;
  }
  return parts.join('').replace(/\n$/, '');
}

/** A hook's git tells its children which repository is meant; here the folder says so. Nothing may ask or go on-line. */
function cleanEnvironment(env: NodeJS.ProcessEnv, isOnline: boolean): NodeJS.ProcessEnv {
  const isKept = isOnline ? /^GIT_(?:CONFIG|SSH|PROXY|SSL)/ : /^GIT_CONFIG/;
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || isKept.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Objects that a partial clone lacks would be fetched with whatever its settings name, and a server can make that endless.
    GIT_NO_LAZY_FETCH: '1',
    ...(isOnline
      ? { GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never' }
      : // Older gits do not know the variable above.
        { GIT_ALLOW_PROTOCOL: 'none' }),
  };
}

function explain(folder: string, end: number, complaint: string): LoreError {
  if (complaint.includes('dubious ownership')) {
    return new LoreError(
      'forbidden',
      `Cannot read "${folder}": git does not trust it, because it belongs to another user`,
      {
        hint: `If you trust it: git config --global --add safe.directory "${folder}"`,
      },
    );
  }
  const isNo =
    end === 1 || /Needed a single revision|unknown revision|bad revision|bad object|Not a valid/i.test(complaint);
  return new LoreError(isNo ? 'not_found' : 'unavailable', `Cannot read "${folder}": git ended with status ${end}`, {
    hint: 'Run git log in that folder for the cause.',
    cause: new Error(complaint),
  });
}
