// Sentences that name no time, what is left of those that do, zones, other days, and when a change took effect.
import { describe, expect, it } from 'vitest';
import { readMoment, readTimePhrase } from './time-phrase.ts';

const zone = 'UTC';
/** A Wednesday. */
const now = Date.parse('2026-06-17T14:30:00Z');

/** `hard 2026-06-08..2026-06-15`; an end that is open is left out. */
function tell(text: string, at = now): string {
  const found = readTimePhrase(text, at, zone);
  if (!found) return 'none';
  const show = (time: number | undefined): string =>
    time === undefined ? '' : new Date(time).toISOString().replace('T00:00:00.000Z', '').replace(':00.000Z', '');
  return `${found.strength} ${show(found.from)}..${show(found.to)}`;
}

describe('what is no time', () => {
  it.each([
    'the request may fail',
    'This may lead to confusion',
    'while this may be desirable',
    'the last may win',
    'this march through the list',
    'Python 3.9.2 (default, Feb 20 2021, 18:40:11)',
    '2021-11-22 19:06:48 +0530 [error]: it failed',
    'at 2009-06-23T19:02:39.208Z it failed',
    'Fri Aug 2 14:51:21 CST',
    'May I restart the server?',
    'it may 3 times out of 10 fail',
    'may 2024 rows be deleted?',
    'May 3 workers run at once?',
    'clients MAY ignore it',
    'the second argument',
    'march through the list',
    'the march of progress',
    'the last commit',
    'the last line of the file',
    'last time we tried this',
    'last value wins',
    'a last-minute change',
    'the last minute of the log',
    'the last 3 versions',
    'the last 10 lines',
    'the last day',
    'previous value',
    'the previous day',
    'version 2025.3.1',
    'v3.6 and 15.2',
    'upgrade to Node 20.3',
    'the 2025-06-18 revision of MCP',
    'MCP 2025-03-26',
    'protocol version 2024-11-05',
    'src/2025-03-01/notes.md',
    'docs/2025-03-01-plan.md',
    'see `2025-03-01` and `last week`',
    'in 2048 bytes',
    'in 2000 ms',
    'port 2024',
    '2024',
    'deploys go out on Tuesdays',
    'every Tuesday we deploy',
    'never deploy on a Friday',
    'what runs on Saturday mornings',
    'each month',
    'next week',
    'next Tuesday',
    'on Tuesday next week',
    'in 3 days',
    'for two weeks',
    'tomorrow',
    'in 2031',
    'in May 2031',
    'the third of the tests',
    'on the 3rd attempt',
    'the 1st of the two queues',
    'least recently used cache',
    'the most recently used file',
    'beans in Spring',
    'in the Spring context',
    'fall back to words',
    'in H1',
    'Q4 quantisation',
    'commits by April',
    'on 30/02/2025',
    'on 03/04/2025',
    'on 2025-13-01',
    'sat and sun',
    'in dec format',
    'the week',
    'this version',
    'before the release',
    'since then',
    'until it fails',
    'between the two servers',
    'from src to dist',
    'at the end of the file',
    'the beginning of the loop',
    'first week',
    'early return',
    'late binding',
    'two months',
    'the weekend job',
    'past participants',
    'go back two commits',
    'a second ago',
    '',
    '   ',
    '?!',
  ])('%s', (text) => {
    expect(tell(text)).toBe('none');
  });
});

describe('the phrase and the rest', () => {
  it.each([
    ['what did we decide last week about auth?', 'last week', 'what did we decide about auth?'],
    ['since Tuesday, which tests fail?', 'since Tuesday', 'which tests fail?'],
    ['which tests failed (in March)?', 'in March', 'which tests failed?'],
    ["yesterday's meeting", "yesterday's", 'meeting'],
    ['deploys between March and May.', 'between March and May', 'deploys.'],
    ['in the last 10 days', 'in the last 10 days', ''],
    ['"last week"', 'last week', ''],
    ['errors, in May, of the gateway', 'in May', 'errors, of the gateway'],
  ])('%s', (text, phrase, rest) => {
    expect(readTimePhrase(text, now, zone)).toMatchObject({ phrase, rest });
  });

  it('prefers what is stated to what is only hinted at', () => {
    expect(tell('recently, that is since Monday')).toBe('hard 2026-06-15..');
    expect(tell('the October plan that we dropped last week')).toBe('hard 2026-06-08..2026-06-15');
  });

  it('leaves the dates of a long document alone', () => {
    expect(tell(`${'word '.repeat(500)} last week`)).toBe('none');
  });

  it('takes time that grows with the text alone', () => {
    for (const text of [
      'the end of '.repeat(10_000),
      'from '.repeat(20_000),
      '–'.repeat(100_000),
      'May 3 '.repeat(20_000),
    ]) {
      expect(() => readTimePhrase(text, now, zone)).not.toThrow();
    }
  });
});

describe('time zones', () => {
  it('counts days where the zone is', () => {
    const late = Date.parse('2026-06-17T23:30:00Z');
    expect(readTimePhrase('yesterday', late, 'Europe/Berlin')).toMatchObject({
      from: Date.parse('2026-06-16T22:00:00Z'),
      to: Date.parse('2026-06-17T22:00:00Z'),
    });
    expect(readTimePhrase('yesterday', late, 'America/New_York')).toMatchObject({
      from: Date.parse('2026-06-16T04:00:00Z'),
      to: Date.parse('2026-06-17T04:00:00Z'),
    });
  });

  it('keeps to local midnight where the clocks change', () => {
    expect(readTimePhrase('in March', now, 'Europe/Berlin')).toMatchObject({
      from: Date.parse('2026-02-28T23:00:00Z'),
      to: Date.parse('2026-03-31T22:00:00Z'),
    });
  });

  it("uses the process's own zone otherwise, and for a name that is none", () => {
    const expected = { from: new Date(2026, 4, 1).getTime(), to: new Date(2026, 5, 1).getTime() };
    expect(readTimePhrase('in May', now)).toMatchObject(expected);
    expect(readTimePhrase('in May', now, 'Nowhere/Atlantis')).toMatchObject(expected);
  });
});

describe('on other days', () => {
  it.each([
    ['last week', '2026-06-15T00:00:00Z', 'hard 2026-06-08..2026-06-15'],
    ['last week', '2026-06-14T23:59:00Z', 'hard 2026-06-01..2026-06-08'],
    ['over the weekend', '2026-06-14T12:00:00Z', 'hard 2026-06-13..2026-06-15'],
    ['last weekend', '2026-06-14T12:00:00Z', 'hard 2026-06-06..2026-06-08'],
    ['a month ago', '2026-03-31T12:00:00Z', 'hard 2026-02-13..2026-03-16'],
    ['in January', '2026-01-01T00:00:00Z', 'hard 2026-01-01..2026-02-01'],
    ['last summer', '2026-09-15T00:00:00Z', 'hard 2026-06-01..2026-09-01'],
    ['last winter', '2026-01-10T00:00:00Z', 'hard 2024-12-01..2025-03-01'],
    ['this winter', '2026-01-10T00:00:00Z', 'hard 2025-12-01..2026-03-01'],
    ['on the 31st', '2026-05-01T00:00:00Z', 'hard 2026-03-31..2026-04-01'],
  ])('%s at %s', (text, at, expected) => {
    expect(tell(text, Date.parse(at))).toBe(expected);
  });
});

describe('when a change took effect', () => {
  it.each([
    ['We moved from PostgreSQL to CockroachDB in May.', '2026-05-01'],
    ['Since 2025-03-01 the gateway listens on 9443.', '2025-03-01'],
    ['We switched to vitest last week', '2026-06-08'],
    ['As of May 2024 we use pnpm', '2024-05-01'],
    ['We moved two months ago', '2026-04-17'],
    ['A few weeks ago we dropped Redis', '2026-05-27'],
    ['After March nobody used it', '2026-04-01'],
    ['Starting June 3rd deploys go out on Thursdays', '2026-06-03'],
    ['yesterday we changed the port', '2026-06-16'],
  ])('%s', (text, day) => {
    expect(new Date(readMoment(text, now, zone) ?? 0).toISOString()).toBe(`${day}T00:00:00.000Z`);
  });

  it.each([
    'We recently moved',
    'We used it until May',
    'Before May it was Jest',
    'From next week on',
    'It may fail',
    'in 2031',
  ])('is not said: %s', (text) => {
    expect(readMoment(text, now, zone)).toBeUndefined();
  });
});
