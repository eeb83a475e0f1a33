// The commits of a repository as what three members of its team remember: authors are dealt to the members, a commit that reverts an
// earlier one replaces it, and one that fixes or follows up an earlier one edits it.
import { execFileSync } from 'node:child_process';

export interface Commit {
  hash: string;
  /** The member who remembers it. */
  member: number;
  /** Milliseconds. */
  at: number;
  subject: string;
  text: string;
  /** Earlier commits, by their hashes. */
  reverts: string[];
  follows: string[];
}

const form = '%H%n%an%n%ct%n%B%x00';
const revert = /\bThis reverts commit ([0-9a-f]{7,40})/g;
const follow = /\b(?:Regression in|Follow[- ]up (?:to|of)|Refs|Bug in|Fixes) ([0-9a-f]{7,40})\b/gi;

/** The newest ones of the default branch, oldest first. */
export function readCommits(repository: string, count: number, members: number): Commit[] {
  const args = ['--git-dir', repository, 'log', '--no-merges', `--max-count=${count}`, `--format=${form}`];
  const written = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0');
  const raw = written.flatMap((entry) => {
    const [, hash, author, seconds, text] = /^\n?(\w+)\n(.*)\n(\d+)\n(.*)$/s.exec(entry) ?? [];
    return hash === undefined || text === undefined || text.trim() === ''
      ? []
      : [{ hash, author: author ?? '', at: Number(seconds) * 1_000, text: text.trim() }];
  });
  raw.reverse();
  const memberOf = deal(
    raw.map(({ author }) => author),
    members,
  );
  const bySubject = new Map<string, string>();
  return raw.map(({ author, ...commit }) => {
    const subject = commit.text.split('\n')[0] as string;
    const reverted = bySubject.get(/^Revert(?:ed)? "(.*)"\.?$/.exec(subject)?.[1] ?? '');
    const reverts = findAll(revert, commit.text);
    bySubject.set(subject, commit.hash);
    return {
      ...commit,
      member: memberOf.get(author) as number,
      subject,
      reverts: reverts.length === 0 && reverted !== undefined ? [reverted] : reverts,
      follows: findAll(follow, commit.text),
    };
  });
}

function findAll(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, hash]) => hash as string);
}

/** Each author is one member; whoever wrote most goes to the member with the fewest commits. */
function deal(authors: readonly string[], members: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const author of authors) counts.set(author, (counts.get(author) ?? 0) + 1);
  const loads = Array.from({ length: members }, () => 0);
  const dealt = new Map<string, number>();
  for (const [author, count] of [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) {
    const member = loads.indexOf(Math.min(...loads));
    dealt.set(author, member);
    loads[member] = (loads[member] as number) + count;
  }
  return dealt;
}
