// The history of a repository for the ranking, cached until another commit is checked out. Reading it takes longer than a
// search may: the first caller waits a moment, and continues without it if that is not enough.
import { keepRecent } from '../../../../core/recent.ts';
import { streamGit } from '../../../../graph/git/git.ts';
import { readHead } from '../../../../graph/git/head.ts';
import { History, logArguments, readChanges } from './history.ts';

interface Held {
  commit: string;
  history: Promise<History | undefined>;
}

const held = new Map<string, Held>();
const mostHeld = 8;
/** Milliseconds. */
const timeoutMs = 1_000;

export async function readHistory(root: string): Promise<History | undefined> {
  const commit = readHead(root)?.commit;
  if (commit === undefined) return undefined;
  let known = held.get(root);
  if (known?.commit !== commit) {
    // Not bound to one call, because the next ones need it as well. A failure of git does not fail the search.
    known = { commit, history: readLog(root).catch(() => undefined) };
    keepRecent(held, root, known, mostHeld);
  }
  return waitBriefly(known.history);
}

async function readLog(root: string): Promise<History> {
  const parts: string[] = [];
  const limits = { silenceMs: 10_000, maxBytes: 1 << 26 };
  for await (const part of streamGit(root, [...logArguments, '--relative'], limits)) parts.push(part);
  return new History(readChanges(parts.join('')));
}

async function waitBriefly<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  return Promise.race([work, enough]).finally(() => clearTimeout(timer));
}
