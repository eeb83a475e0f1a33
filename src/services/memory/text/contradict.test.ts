// What takes an older statement's place, and what merely stands beside it.
import { describe, expect, it } from 'vitest';
import { contradicts } from './contradict.ts';
import { movedWhen } from './contradict-when.ts';

describe('contradicts', () => {
  it.each([
    [
      'The API gateway listens on 8443.',
      'The API gateway now listens on 9443.',
      'says "9443" where the older says "8443"',
    ],
    [
      'PostgreSQL 15 is the primary database.',
      'We moved from PostgreSQL to CockroachDB in May.',
      'tells of the change from "postgresql" to "cockroachdb"',
    ],
    ['Tests run with jest.', 'We switched tests from jest to vitest.', 'tells of the change from "jest" to "vitest"'],
    ['Deploys go out on Tuesdays.', 'Deploys go out on Thursdays.', 'says "thursdays" where the older says "tuesdays"'],
    ['The timeout is 30 seconds.', 'Since May, the timeout is 60 seconds.', 'says "60" where the older says "30"'],
    ['use tabs', 'do not use tabs, use spaces', 'denies what the older says'],
    ['I live in Lisbon.', 'I moved to Porto.', 'tells of the change to "porto"'],
    ['Never push to main.', 'You may push to main.', 'says what the older denies'],
  ])('%s => %s', (older, newer, reason) => {
    expect(contradicts(older, newer)?.reason).toBe(reason);
  });

  it.each([
    ['The API gateway listens on 8443.', 'In staging the API gateway listens on 9443.'],
    ['The timeout is 30 seconds.', 'In staging, the timeout is 60 seconds.'],
    ['The timeout is 30 seconds.', 'The timeout is 60 seconds, but only in staging.'],
    ['The timeout is 30 seconds.', 'If the cache is cold, the timeout is 60 seconds.'],
    ['The API gateway listens on 8443.', 'The API gateway also listens on 9443.'],
    ['The API gateway listens on 8443.', 'The auth service listens on 9443.'],
    ['The API gateway listens on 8443.', 'The API gateway listens on 8443!'],
    ['The API gateway listens on 8443.', 'Maybe the API gateway listens on 9443.'],
    ['The API gateway listens on 8443.', 'Does the API gateway listen on 9443?'],
    ['PostgreSQL needs the pgvector extension.', 'We moved the session store from PostgreSQL to Redis.'],
    ['The service uses PostgreSQL.', 'The service uses Redis.'],
    ['The port is 8443. The host is a.dev.', 'The port is 9443.'],
    ['', 'The port is 9443.'],
  ])('%s and %s are both true', (older, newer) => {
    expect(contradicts(older, newer)).toBeUndefined();
  });

  it('finds the sentence that matters in a longer text', () => {
    expect(
      contradicts('The default port is 3000.', 'We talked at length. The default port is 4000 as of v2.'),
    ).toBeDefined();
  });
});

describe('movedWhen', () => {
  it.each([
    ['We moved from PostgreSQL to CockroachDB in May.', 'in May'],
    ['Since 2025-03-01 the port is 9443.', 'Since 2025-03-01'],
    ['We switched to pnpm last week.', 'last week'],
    ['The default port is 4000 as of v3.', 'as of v3'],
    ['I moved two months ago.', 'two months ago'],
    ['It changed on 3 June 2025, finally.', 'on 3 June 2025'],
    ['It may fail in march order.', undefined],
    ['The gateway listens on 8443.', undefined],
  ])('in %s', (text, expected) => {
    const place = movedWhen(text);
    expect(place?.text).toBe(expected);
    if (place !== undefined) expect(text.slice(place.start, place.end)).toBe(place.text);
  });
});
