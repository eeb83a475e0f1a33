// Which commits are taken, and as what.
import { describe, expect, it } from 'vitest';
import { judgeCommit } from './git-commit.ts';
import { type Commit, readLog } from './git-log.ts';

const hash = 'a'.repeat(40);
const commit = (message: string, more: Partial<Commit> = {}): Commit => ({
  hash,
  parents: ['b'.repeat(40)],
  author: 'Ada',
  email: 'ada@example.org',
  date: 0,
  message,
  files: [],
  fileCount: 0,
  ...more,
});
const why = 'The old one read the whole file because its reader had no bound.';

describe('a commit', () => {
  it.each([
    ['feat: streaming answers', 'feat'],
    ['fix(parser): keep the last line', 'fix'],
    ['perf: cache compiled patterns', 'perf'],
    ['refactor!: one registry', 'refactor'],
    ['Fix crash when the queue is empty (#12)', 'fix'],
    ['net/http: add a bound to headers', 'feat'],
    ['Replace moment by date-fns everywhere', 'refactor'],
    ['Revert "feat: streaming answers"', 'revert'],
    [`chore: read in pieces\n\n${why}`, 'other'],
    [`Reader\n\n${why}`, 'other'],
    ['chore(deps)!: drop Node 18', 'other'],
    ['docs: usage\n\nBREAKING CHANGE: the flag is gone', 'other'],
  ])('%j is taken as %s', (message, type) => {
    expect(judgeCommit(commit(message))).toMatchObject({ type, title: message.split('\n')[0] });
  });

  it.each([
    ['wip', 'noise'],
    ['WIP: half of it', 'noise'],
    ['fixup! feat: streaming answers', 'noise'],
    ['v1.2.3', 'noise'],
    ['chore: release 2.0.0', 'noise'],
    ['Bump lodash from 4.17.20 to 4.17.21', 'noise'],
    ['chore(deps): update everything', 'noise'],
    ['fix: typo in readme (#665)', 'noise'],
    ['fix lint errors', 'noise'],
    ['run prettier', 'noise'],
    ['fix tests', 'noise'],
    ['Initial commit', 'noise'],
    ['chore: tidy the scripts folder', 'chore'],
    ['test: more of them', 'chore'],
    ["Merge branch 'main' into feature", 'merge'],
    ['Queue', 'unexplained'],
  ])('%j is skipped: %s', (message, leave) => {
    expect(judgeCommit(commit(message))).toEqual({ leave });
  });

  it('of a bot is skipped', () => {
    expect(judgeCommit(commit('feat: x y z', { author: 'dependabot[bot]' }))).toEqual({ leave: 'bot' });
    expect(judgeCommit(commit('feat: x y z', { author: 'Renovate Bot' }))).toEqual({ leave: 'bot' });
    expect(judgeCommit(commit('feat: abbot and robots', { author: 'Abbot' }))).toMatchObject({ type: 'feat' });
  });

  it.each([
    ['Merge pull request #7 from ada/queue\n\nBound the queue', 'Bound the queue (#7)'],
    ['Merged PR 8: Bound the queue', 'Bound the queue (#8)'],
    ['Merged in queue (pull request #9)\n\nBound the queue', 'Bound the queue (#9)'],
    ["Merge branch 'q' into 'main'\n\nBound the queue\n\nSee merge request team/app!10", 'Bound the queue (!10)'],
  ])('%j merges a pull request', (message, title) => {
    expect(judgeCommit(commit(message, { parents: ['b', 'c'] }))).toMatchObject({ type: 'merge', title });
  });

  it('names the reverted commit, and whether it is breaking', () => {
    const message = `Revert "feat: x"\n\nThis reverts commit ${hash}.`;
    expect(judgeCommit(commit(message))).toMatchObject({ type: 'revert', reverts: hash });
    expect(judgeCommit(commit('feat(api)!: ids are texts'))).toMatchObject({ breaking: true, scope: 'api' });
  });

  it('is stored without trailers, which contain addresses', () => {
    const judged = judgeCommit(
      commit('fix: bound the queue\n\nIt grew.\n\nCo-authored-by: Bob <bob@example.org>\nSigned-off-by: Ada <a@b.org>'),
    );
    expect(judged).toMatchObject({ text: 'fix: bound the queue\n\nIt grew.' });
  });

  it('is processed at any length', () => {
    for (const long of ['1.'.repeat(50_000), 'a-'.repeat(50_000), `fix: ${'('.repeat(100_000)}`, ' '.repeat(100_000)]) {
      expect(judgeCommit(commit(long))).toBeDefined();
    }
  });
});

describe('a log', () => {
  const text = [
    [
      `\u0001${hash}`,
      `${'b'.repeat(40)} ${'c'.repeat(40)}`,
      'Ada',
      'a@b',
      '2026-01-02T03:04:05+01:00',
      'fix: one\n\nwhy\n',
    ],
    [''],
    [
      `\u0001${'d'.repeat(40)}`,
      '',
      'Bob',
      'b@b',
      '2026-01-01T00:00:00Z',
      'feat: two\n',
      '',
      '\nsrc/a.ts',
      'odd "name"\n.txt',
    ],
    [''],
  ]
    .flat()
    .join('\0');

  it.each([1, 7, 1_000])('is read in parts of %d characters', async (size) => {
    async function* parts() {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    const commits: Commit[] = [];
    for await (const one of readLog(parts())) commits.push(one);
    expect(commits).toMatchObject([
      { hash, message: 'fix: one\n\nwhy', date: Date.UTC(2026, 0, 2, 2, 4, 5), files: [] },
      { author: 'Bob', parents: [], message: 'feat: two', files: ['src/a.ts', 'odd "name"\n.txt'], fileCount: 2 },
    ]);
    expect(commits[0]?.parents).toHaveLength(2);
  });
});
