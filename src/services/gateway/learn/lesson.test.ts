// What a lesson says about arguments, and that it never says their values.
import { describe, expect, it } from 'vitest';
import { compareArguments, signError } from './lesson.ts';

const secret = 'xK9mQ2vL7pR4tY8wZ3nB';

/** Twenty kinds of wrong calls, the right one, and what a lesson has to say. */
const kinds: [failed: object, worked: object, said: string | undefined][] = [
  [{ date: 'tomorrow' }, { date: '2026-01-02' }, '`date` as a date (YYYY-MM-DD), not one word'],
  [{ since: '2026-01-02' }, { since: '2026-01-02T10:00:00Z' }, '`since` as a time in RFC 3339'],
  [{ since: '2026-01-02T10:00:00' }, { since: '2026-01-02T10:00:00Z' }, 'not a time without a zone'],
  [{ limit: '10' }, { limit: 10 }, '`limit` as a whole number, not a text of digits'],
  [{ id: 7 }, { id: '7' }, '`id` as a text of digits, not a whole number'],
  [{ path: 'notes/a.md' }, { path: '/home/me/notes/a.md' }, '`path` as an absolute path, not two names'],
  [{ path: '~/a.md' }, { path: '/home/me/a.md' }, 'not a path in the home folder'],
  [{ repo: 'widgets' }, { repo: 'acme/widgets' }, '`repo` as two names with a slash (owner/name)'],
  [{ tags: 'red' }, { tags: ['red'] }, '`tags` as a list of one word'],
  [{ tags: ['red'] }, { tags: 'red' }, 'not a list of one word'],
  [{ filter: '{"a":1}' }, { filter: { a: 1 } }, '`filter` as an object, not JSON as text'],
  [{ owner: 'acme' }, { owner: 'acme', repo: 'widgets' }, 'with `repo`'],
  [{ q: 'x', page: 0 }, { q: 'x' }, 'without `page`'],
  [{ state: 'OPEN' }, { state: 'open' }, '`state` as one word, such as "open"'],
  [{ order: 'descending' }, { order: 'desc' }, '`order` as "desc"'],
  [{ url: 'example.com' }, { url: 'https://example.com' }, '`url` as a URL'],
  [{ user: 'ada' }, { user: 'ada@example.com' }, '`user` as an email address'],
  [{ recursive: 'true' }, { recursive: true }, '`recursive` as true or false'],
  [{ options: { depth: '3' } }, { options: { depth: 3 } }, '`options.depth` as a whole number'],
  [{ branch: 'feature_x' }, { branch: 'feature-x' }, '`branch` as a name with hyphens, not a name with underscores'],
  [{ page: 0 }, { page: 1 }, '`page` as a whole number, not zero'],
  [{ id: '7' }, { id: '8' }, undefined],
  [{ token: 'wrong' }, { token: secret }, undefined],
];

describe('a lesson', () => {
  it.each(kinds)('from %j to %j', (failed, worked, said) => {
    const lesson = compareArguments(failed as never, worked as never);
    if (said === undefined) expect(lesson).toBeUndefined();
    else expect(lesson).toContain(said);
  });

  it('shows no value that could be a secret', () => {
    const lesson = compareArguments({ a: 1 }, {
      a: `ghp_${secret}`,
      password: 'hunter',
      api_key: secret,
      note: 'my bank is x',
    } as never);
    expect(lesson).toContain('`password`');
    for (const value of ['hunter', secret, 'bank']) expect(lesson).not.toContain(value);
  });

  it('shows a value that the server named in its error', () => {
    const [failed, worked] = [{ reason: 'wontfix' }, { reason: 'not_planned' }];
    expect(compareArguments(failed, worked, 'reason: one of completed, not_planned')).toContain(
      'such as "not_planned"',
    );
    expect(compareArguments(failed, worked, 'reason: wrong')).not.toContain('not_planned');
    expect(compareArguments({ token: 'x' }, { token: 'not_planned' }, 'one of not_planned') ?? '').not.toContain(
      'not_',
    );
  });

  it('is for equal failures, whatever arguments they repeat', () => {
    const sign = (date: string) => signError(`Invalid date: ${date}`, { date });
    expect(sign('tomorrow')).toBe(sign('next friday'));
    expect(signError(`Rejected ${secret} of ada`, { token: secret, deep: { user: 'ada' } })).toBe('rejected “” of “”');
    expect(signError('A red door is required', { color: 'red', kind: 'a' })).toBe('a “” door is required');
  });

  it('is for equal failures, whatever they quote', () => {
    expect(signError('Invalid date "tomorrow" at /a/b.txt line 3')).toBe(
      signError("Invalid date 'monday' at /c/d line 77"),
    );
    expect(signError('Invalid date')).not.toBe(signError('Invalid time'));
  });
});
