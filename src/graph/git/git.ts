// Runs the user's git: without a shell, without programs and prompts that a repository's settings could start, and with limits
// on silence and output.
import { LoreError } from '../../core/error.ts';
import { streamProgram } from '../../core/program/program.ts';
import { identifyFolder } from '../project/project.ts';

export interface GitLimits {
  /** Timeout without output, in ms. */
  silenceMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
  /** What git reads on stdin. */
  input?: string;
  /** 'latin1' keeps every byte. */
  encoding?: 'utf8' | 'latin1';
  /** Further git settings, as environment variables. */
  settings?: NodeJS.ProcessEnv;
  /** A repository of our own, which no author of a project wrote. */
  isOwn?: boolean;
  /** May connect to a server, with the user's credentials but without prompts. */
  online?: { action: string; explain(complaint: string): LoreError | undefined };
}

const defaults = { silenceMs: 60_000, maxBytes: 1 << 30 };
/** A fetch takes four processes and those of a credential helper; a server must not cause many or large ones. */
const maxUsage = { processes: 20, bytes: 1 << 30 };

/** Settings of a repository that start programs. */
const harmless = [
  'core.fsmonitor=false',
  'log.showSignature=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
];

/** Output in chunks; a status other than 0 throws an error. */
export async function* streamGit(folder: string, args: readonly string[], limits: GitLimits = {}) {
  const { silenceMs, maxBytes, online, signal } = { ...defaults, ...limits };
  if (!limits.isOwn) refuseForeign(folder);
  yield* streamProgram({
    program: 'git',
    args: ['--no-pager', ...harmless.flatMap((pair) => ['-c', pair]), ...args],
    action: online?.action ?? `read "${folder}"`,
    folder,
    env: { ...cleanEnvironment(process.env, online !== undefined), ...limits.settings },
    input: limits.input,
    ...(limits.encoding && { encoding: limits.encoding }),
    signal,
    silenceMs,
    maxBytes,
    maxUsage: online && maxUsage,
    reportsProgress: online !== undefined,
    explain: (status, complaint) => online?.explain(complaint) ?? explain(folder, status, complaint),
  });
}

/** The author of the folder wrote its `.git` file, which could point to any repository. */
function refuseForeign(folder: string): void {
  if (!identifyFolder(folder).isForeign) return;
  throw new LoreError('forbidden', `Cannot read "${folder}": its .git leads to a repository that does not list it`, {
    hint: 'If it is a worktree or submodule of that repository: git worktree repair, or set core.worktree there.',
  });
}

/** A short output without its final newline; undefined if git fails. */
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

/** Inside a hook, git's variables name another repository; here the folder decides. No prompts and no network. */
function cleanEnvironment(env: NodeJS.ProcessEnv, isOnline: boolean): NodeJS.ProcessEnv {
  const isKept = isOnline ? /^GIT_(?:CONFIG|SSH|PROXY|SSL)/ : /^GIT_CONFIG/;
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || isKept.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Missing objects of a partial clone would be fetched from wherever its settings say, which a server can make endless.
    GIT_NO_LAZY_FETCH: '1',
    ...(isOnline
      ? { GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never' }
      : // Older versions of git do not know the variable above.
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
