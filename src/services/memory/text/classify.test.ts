// Kinds and knowledge: what expires says so itself, and everything else stays.
import { describe, expect, it } from 'vitest';
import { classify } from './classify.ts';

describe('classify', () => {
  it.each([
    ['semantic', 'PostgreSQL 15 is the primary database.'],
    ['semantic', 'Node 22 features are now available in CI.'],
    ['semantic', 'We moved from PostgreSQL to CockroachDB in May.'],
    ['semantic', 'We decided yesterday to keep the monolith.'],
    ['semantic', 'Yesterday we deployed 2.3. The API gateway listens on 8443.'],
    ['semantic', 'TypeError: x is undefined\nThe fix was to register the middleware first.'],
    ['semantic', 'const port = 8443;'],
    ['semantic', ''],
    ['procedural', 'To start the database, run docker compose up db.'],
    ['preference', 'I prefer named exports.'],
    ['episodic', 'Yesterday we deployed 2.3 to production.'],
    ['episodic', 'Gestern wurde Version 2.3 ausgeliefert.'],
    ['episodic', '昨天发布了2.3版本。'],
    ['semantic', 'Seit gestern läuft der Server mit Node 24.'],
    ['semantic', 'Ayer decidimos mantener el monolito.'],
    ['preference', 'Я предпочитаю короткие функции.'],
    ['preference', '短い関数のほうが好きです。'],
    ['working', 'Currently debugging the login test.'],
    ['sensory', '[2026-01-05 10:00:01] INFO server started on port 3000'],
  ])('finds %s in %j', (kind, text) => {
    expect(classify(text).kind).toBe(kind);
  });

  it.each([
    ['rule', 'Never push directly to main.'],
    ['convention', 'Flags should be kebab-case.'],
    ['gotcha', 'Beware that the mock ignores idempotency keys.'],
    ['architecture', 'The API gateway listens on 8443.'],
    ['pattern', 'To rotate the keys, run scripts/rotate.sh.'],
    ['note', "My sister's name is Ana."],
  ])('finds a %s in %s', (knowledge, text) => {
    expect(classify(text).knowledge).toBe(knowledge);
  });

  it('ranks a rule above a note, and a note above a temporary state', () => {
    const weigh = (text: string) => classify(text).importance;
    const weights = ['Never push to main.', "My sister's name is Ana.", 'Currently debugging the login test.'].map(
      weigh,
    );
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(new Set(weights).size).toBe(3);
  });
});
