// Questions with known answers from a history: a commit that fixes something says what was wrong, and changes the files where
// it was. The tree is the one before a few hundred commits, so that it is read once for all of them.
import { execFileSync } from 'node:child_process';
import type { Instance } from '../../../bench/quality/localise/instances.ts';
import { isSource, isTest } from '../../../src/services/repo/search/rank/source.ts';
import { type Change, type Commit, compose } from './compose.ts';

export interface Limits {
  /** Commits since the tree. */
  commits: number;
  /** Most examples of a repository. */
  most: number;
}

/** Subjects of commits that describe no behaviour. */
const unwanted =
  /^\W*(?:chore|docs?|style|ci|tests?|build|release|bump|deps|merge|revert|refactor|lint|typo|update dependenc|prepare|version|wip|backport|translat|i18n|publish|v?\d+\.\d+)\b|\b(?:changelog|typos?|dependabot|renovate|eslint config|readme|copyright|whitespace|reformat|formatting|coverage|lockfile|documentation|docstrings?|test case|unit tests?|flaky)\b/i;
const fewestWords = 4;
/** A change to more sources is rarely about one problem. */
const mostSources = 4;
const aside = /(?:^|\/)(?:docs?|website|examples?|bench\w*|scripts?|samples?|demos?|playgrounds?)\//i;

export function mine(repo: string, git: string, { commits: most, most: mostExamples }: Limits): Instance[] {
  const read = (args: readonly string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', '--git-dir', git, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 29,
    });
  const format = '--format=%x01%H%x03%B%x02';
  const log = ['log', '--no-merges', '--no-renames', '--name-status', '-z', `--max-count=${most + 1}`, format, 'HEAD'];
  const commits = readCommits(read(log));
  const base = commits.at(-1);
  if (!base || commits.length < 2) return [];
  const before = new Set(read(['ls-tree', '-r', '--name-only', '-z', base.hash]).split('\0'));
  const found = commits.slice(0, -1).flatMap((commit) => {
    const subject = commit.message.split('\n', 1)[0] ?? '';
    if (unwanted.test(subject) || subject.split(/\s+/).length < fewestWords) return [];
    const sources = commit.changes.filter(({ path }) => isSource(path) && !isTest(path));
    const gold = sources.filter(({ isNew, path }) => !isNew && before.has(path)).map(({ path }) => path);
    if (gold.length === 0 || sources.length > mostSources || gold.length < sources.length / 2) return [];
    if (gold.some((path) => aside.test(path))) return [];
    const { text, length } = compose(commit, (paths) =>
      read(['show', '--format=', '-U0', commit.hash, '--', ...paths]),
    );
    return [{ length, id: commit.hash, repo, base_commit: base.hash, problem_statement: text, gold_files: gold }];
  });
  // Longer descriptions are more like the questions that are asked. The name of a commit is as good as random.
  const sorted = found.sort((a, b) => Number(b.length > 60) - Number(a.length > 60) || (a.id < b.id ? -1 : 1));
  return sorted.slice(0, mostExamples).map(({ length: _, ...instance }) => instance);
}

function readCommits(log: string): Commit[] {
  return log
    .split('\x01')
    .slice(1)
    .map((piece) => {
      const [head = '', names = ''] = piece.split('\x02');
      const [hash = '', message = ''] = head.split('\x03');
      const fields = names.split(/[\0\n]/).filter((field) => field !== '');
      const changes: Change[] = [];
      for (let at = 0; at + 1 < fields.length; at += 2) {
        changes.push({ isNew: fields[at] !== 'M', path: fields[at + 1] as string });
      }
      return { hash, message: message.replaceAll('\r', ''), changes };
    });
}
