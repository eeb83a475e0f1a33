// Which stretch of time a query means, on a Wednesday afternoon in June.
import { describe, expect, it } from 'vitest';
import { readTimePhrase } from './time-phrase.ts';

const zone = 'UTC';
/** A Wednesday. */
const now = Date.parse('2026-06-17T14:30:00Z');

/** `hard 2026-06-08..2026-06-15`; an end that is open is left out. */
function tell(text: string): string {
  const found = readTimePhrase(text, now, zone);
  if (!found) return 'none';
  const show = (time: number | undefined): string =>
    time === undefined ? '' : new Date(time).toISOString().replace('T00:00:00.000Z', '').replace(':00.000Z', '');
  return `${found.strength} ${show(found.from)}..${show(found.to)}`;
}

type Case = [text: string, expected: string];

function check(cases: Case[]): void {
  it.each(cases)('%s', (text, expected) => {
    expect(tell(text)).toBe(expected);
  });
}

describe('days counted from now', () => {
  check([
    ['what did we do yesterday?', 'hard 2026-06-16..2026-06-17'],
    ["yesterday's decision about caching", 'hard 2026-06-16..2026-06-17'],
    ['yesterday morning', 'hard 2026-06-16T04:00..2026-06-16T12:00'],
    ['yesterday evening we deployed', 'hard 2026-06-16T17:00..2026-06-17'],
    ['the day before yesterday', 'hard 2026-06-15..2026-06-16'],
    ['what did I say this morning', 'hard 2026-06-17T04:00..2026-06-17T12:00'],
    ['this afternoon', 'hard 2026-06-17T12:00..2026-06-17T18:00'],
    ['last night the build broke', 'hard 2026-06-16T18:00..2026-06-17T06:00'],
    ['earlier today', 'hard 2026-06-17..2026-06-18'],
    ['what changed today', 'soft 2026-06-17..2026-06-18'],
    ['since yesterday', 'hard 2026-06-16..'],
    ['before yesterday', 'hard ..2026-06-16'],
    ['until yesterday', 'hard ..2026-06-17'],
    ['three days ago', 'hard 2026-06-14..2026-06-15'],
    ['3 days ago', 'hard 2026-06-14..2026-06-15'],
    ['a day ago', 'hard 2026-06-16..2026-06-17'],
    ['10 days ago', 'hard 2026-06-06..2026-06-09'],
    ['5d ago', 'hard 2026-06-12..2026-06-13'],
    ['an hour ago', 'hard 2026-06-17T13:00..2026-06-17T14:00'],
    ['20 minutes ago', 'hard 2026-06-17T14:05..2026-06-17T14:15'],
    ['two hours ago', 'hard 2026-06-17T12:00..2026-06-17T13:00'],
  ]);
});

describe('weeks, months and years', () => {
  check([
    ['last week', 'hard 2026-06-08..2026-06-15'],
    ["last week's deploy", 'hard 2026-06-08..2026-06-15'],
    ['the meeting of last week', 'hard 2026-06-08..2026-06-15'],
    ['this week', 'hard 2026-06-15..2026-06-22'],
    ['earlier this week', 'hard 2026-06-15..2026-06-22'],
    ['the week before last', 'hard 2026-06-01..2026-06-08'],
    ['last month', 'hard 2026-05-01..2026-06-01'],
    ['this month', 'hard 2026-06-01..2026-07-01'],
    ['the month before last', 'hard 2026-04-01..2026-05-01'],
    ['last quarter', 'hard 2026-01-01..2026-04-01'],
    ['this quarter', 'hard 2026-04-01..2026-07-01'],
    ['last year', 'hard 2025-01-01..2026-01-01'],
    ['this year', 'hard 2026-01-01..2027-01-01'],
    ['previous month', 'hard 2026-05-01..2026-06-01'],
    ['last weekend', 'hard 2026-06-13..2026-06-15'],
    ['the past weekend', 'hard 2026-06-13..2026-06-15'],
    ['over the weekend', 'hard 2026-06-13..2026-06-15'],
    ['since last week', 'hard 2026-06-08..'],
    ['before last week', 'hard ..2026-06-08'],
    ['after last week', 'hard 2026-06-15..'],
    ['until last month', 'hard ..2026-06-01'],
    ['early last week', 'hard 2026-06-08..2026-06-10'],
    ['late last year', 'hard 2025-09-01..2026-01-01'],
    ['two weeks ago', 'hard 2026-05-31..2026-06-07'],
    ['a fortnight ago', 'hard 2026-05-31..2026-06-07'],
    ['two months ago', 'hard 2026-04-02..2026-05-03'],
    ['about two months ago', 'hard 2026-04-02..2026-05-03'],
    ['a year ago', 'hard 2024-12-17..2025-12-17'],
    ['half a year ago', 'hard 2025-09-17..2026-03-19'],
    ['2-3 weeks ago', 'hard 2026-05-24..2026-06-07'],
    ['two or three weeks ago', 'hard 2026-05-24..2026-06-07'],
    ['more than a year ago', 'hard ..2025-06-17'],
    ['over two months ago', 'hard ..2026-04-17'],
    ['less than a week ago', 'hard 2026-06-10..'],
    ['notes older than two weeks', 'hard ..2026-06-03T14:30'],
    ['memories newer than 3 days', 'hard 2026-06-14T14:30..'],
  ]);
});

describe('stretches that reach until now', () => {
  check([
    ['in the last 10 days', 'hard 2026-06-07..'],
    ['the last ten days', 'hard 2026-06-07..'],
    ['during the past 2 weeks', 'hard 2026-06-03..'],
    ['within the last 24 hours', 'hard 2026-06-16T14:30..'],
    ['in the last 24h', 'hard 2026-06-16T14:30..'],
    ['in the last hour', 'hard 2026-06-17T13:30..'],
    ['in the last day', 'hard 2026-06-16T14:30..'],
    ['in the last week', 'hard 2026-06-10..'],
    ['over the past month', 'hard 2026-05-17..'],
    ['in the past year', 'hard 2025-06-17..'],
    ['over the last twenty-five days', 'hard 2026-05-23..'],
    ['this past week', 'hard 2026-06-10..'],
    ['these past few weeks', 'soft 2026-05-27..'],
    ['last 3 months', 'hard 2026-03-17..'],
    ['past 30 days', 'hard 2026-05-18..'],
    ['in the last few days', 'soft 2026-06-14..'],
    ['over the last couple of weeks', 'soft 2026-06-03..'],
    ['in the past several months', 'soft 2026-01-17..'],
  ]);
});

describe('preferences', () => {
  check([
    ['what did we change recently', 'soft 2026-05-18..'],
    ['have you noticed errors lately', 'soft 2026-05-18..'],
    ['how do we deploy these days', 'soft 2026-05-18..'],
    ['the other day we spoke about retries', 'soft 2026-06-07..'],
    ['in recent weeks', 'soft 2026-05-13..'],
    ['a few weeks ago', 'soft 2026-05-21..2026-06-03'],
    ['a couple of days ago', 'soft 2026-06-15..2026-06-16'],
    ['the October release', 'soft 2025-10-01..2025-11-01'],
    ['the May outage', 'soft 2026-05-01..2026-06-01'],
    ['what did we agree Tuesday', 'soft 2026-06-16..2026-06-17'],
    ['around March', 'soft 2026-02-13T12:00..2026-04-16T12:00'],
    ['feedback from April', 'soft 2026-04-01..2026-05-01'],
    ['numbers for March', 'soft 2026-03-01..2026-04-01'],
    ['the log of 2025-03-01', 'soft 2025-03-01..2025-03-02'],
  ]);
});

describe('months', () => {
  check([
    ['in March', 'hard 2026-03-01..2026-04-01'],
    ['what happened in march?', 'hard 2026-03-01..2026-04-01'],
    ['in May', 'hard 2026-05-01..2026-06-01'],
    ['in may', 'hard 2026-05-01..2026-06-01'],
    ['in June', 'hard 2026-06-01..2026-07-01'],
    ['in July', 'hard 2025-07-01..2025-08-01'],
    ['back in December', 'hard 2025-12-01..2026-01-01'],
    ['in May 2024', 'hard 2024-05-01..2024-06-01'],
    ['May 2024', 'hard 2024-05-01..2024-06-01'],
    ['in March of 2025', 'hard 2025-03-01..2025-04-01'],
    ['in May last year', 'hard 2025-05-01..2025-06-01'],
    ['last year in May', 'hard 2025-05-01..2025-06-01'],
    ['in May of this year', 'hard 2026-05-01..2026-06-01'],
    ['last May', 'hard 2026-05-01..2026-06-01'],
    ['last June', 'hard 2025-06-01..2025-07-01'],
    ['last December', 'hard 2025-12-01..2026-01-01'],
    ['in Feb', 'hard 2026-02-01..2026-03-01'],
    ['in Sept. 2025', 'hard 2025-09-01..2025-10-01'],
    ['in 2025-03', 'hard 2025-03-01..2025-04-01'],
    ['early March', 'hard 2026-03-01..2026-03-11'],
    ['mid-March', 'hard 2026-03-11..2026-03-21'],
    ['in late May', 'hard 2026-05-21..2026-06-01'],
    ['at the end of March', 'hard 2026-03-24..2026-04-01'],
    ['at the beginning of May', 'hard 2026-05-01..2026-05-08'],
    ['since the start of the year', 'hard 2026-01-01..'],
    ['in the first week of March', 'hard 2026-03-01..2026-03-08'],
    ['in the last week of March', 'hard 2026-03-25..2026-04-01'],
    ['on the last day of May', 'hard 2026-05-31..2026-06-01'],
    ['the first Monday of June', 'hard 2026-06-01..2026-06-02'],
    ['on the last Friday of May', 'hard 2026-05-29..2026-05-30'],
    ['the second half of May', 'hard 2026-05-16..2026-06-01'],
    ['in the month of May', 'hard 2026-05-01..2026-06-01'],
    ['since March', 'hard 2026-03-01..'],
    ['from March on', 'hard 2026-03-01..'],
    ['starting in March', 'hard 2026-03-01..'],
    ['after March', 'hard 2026-04-01..'],
    ['before March', 'hard ..2026-03-01'],
    ['until March', 'hard ..2026-04-01'],
    ['as of May', 'hard ..2026-06-01'],
    ['decisions from March about auth', 'hard 2026-03-01..2026-04-01'],
  ]);
});

describe('dates', () => {
  check([
    ['on 2025-03-01', 'hard 2025-03-01..2025-03-02'],
    ['on 2025-03-01T10:00:00Z', 'hard 2025-03-01..2025-03-02'],
    ['on 2025/03/01', 'hard 2025-03-01..2025-03-02'],
    ['since 2025-03-01', 'hard 2025-03-01..'],
    ['after 2025-03-01', 'hard 2025-03-02..'],
    ['before 2025-03-01', 'hard ..2025-03-01'],
    ['until 2025-03-01', 'hard ..2025-03-02'],
    ['on 25/12/2025', 'hard 2025-12-25..2025-12-26'],
    ['on June 3', 'hard 2026-06-03..2026-06-04'],
    ['on June 3rd', 'hard 2026-06-03..2026-06-04'],
    ['June 3, 2024', 'hard 2024-06-03..2024-06-04'],
    ['on 3 June', 'hard 2026-06-03..2026-06-04'],
    ['3 June 2024', 'hard 2024-06-03..2024-06-04'],
    ['before the 3rd of June', 'hard ..2026-06-03'],
    ['the third of June', 'hard 2026-06-03..2026-06-04'],
    ['on July 4', 'hard 2025-07-04..2025-07-05'],
    ['on may 3rd', 'hard 2026-05-03..2026-05-04'],
    ['on Dec. 24', 'hard 2025-12-24..2025-12-25'],
    ['on February 29', 'hard 2024-02-29..2024-03-01'],
    ['on the 3rd', 'hard 2026-06-03..2026-06-04'],
    ['on the 20th we met', 'hard 2026-05-20..2026-05-21'],
    ['Tuesday, June 2nd', 'hard 2026-06-02..2026-06-03'],
    ['on Tuesday the 2nd', 'hard 2026-06-02..2026-06-03'],
    ['June 3-10', 'hard 2026-06-03..2026-06-11'],
    ['3-10 June 2025', 'hard 2025-06-03..2025-06-11'],
    ['the week of June 3', 'hard 2026-06-01..2026-06-08'],
    ['the week before June 3', 'hard 2026-05-27..2026-06-03'],
    ['two weeks before August 11, 2025', 'hard 2025-07-25..2025-08-01'],
    ['two days after the 1st of May', 'hard 2026-05-03..2026-05-04'],
    ['the day after 2025-03-01', 'hard 2025-03-02..2025-03-03'],
    ['on the Sunday before June 3, 2026', 'hard 2026-05-31..2026-06-01'],
    ['the Wednesday after June 3, 2026', 'hard 2026-06-10..2026-06-11'],
    ['no later than May 3rd', 'hard ..2026-05-04'],
    ['on the morning of nothing, June 3rd', 'hard 2026-06-03..2026-06-04'],
  ]);
});

describe('days of the week', () => {
  check([
    ['on Tuesday', 'hard 2026-06-16..2026-06-17'],
    ['on tuesday', 'hard 2026-06-16..2026-06-17'],
    ['since Tuesday', 'hard 2026-06-16..'],
    ['on Wednesday', 'hard 2026-06-10..2026-06-11'],
    ['on Friday', 'hard 2026-06-12..2026-06-13'],
    ['last Friday', 'hard 2026-06-12..2026-06-13'],
    ['last Wednesday', 'hard 2026-06-10..2026-06-11'],
    ['this Monday', 'hard 2026-06-15..2026-06-16'],
    ['on Monday morning', 'hard 2026-06-15T04:00..2026-06-15T12:00'],
    ['Friday evening', 'hard 2026-06-12T17:00..2026-06-13'],
    ['on Tuesday last week', 'hard 2026-06-09..2026-06-10'],
    ['Tuesday of last week', 'hard 2026-06-09..2026-06-10'],
    ['last week on Tuesday', 'hard 2026-06-09..2026-06-10'],
    ['on Tue', 'hard 2026-06-16..2026-06-17'],
    ['before Monday', 'hard ..2026-06-15'],
    ['this past Friday', 'hard 2026-06-12..2026-06-13'],
    ['by Friday', 'hard ..2026-06-13'],
  ]);
});

describe('quarters, seasons, weeks by number, years', () => {
  check([
    ['Q2 2025', 'hard 2025-04-01..2025-07-01'],
    ['in Q1', 'hard 2026-01-01..2026-04-01'],
    ['in Q3', 'hard 2025-07-01..2025-10-01'],
    ['2025-Q2', 'hard 2025-04-01..2025-07-01'],
    ['H1 2025', 'hard 2025-01-01..2025-07-01'],
    ['in the second quarter of 2025', 'hard 2025-04-01..2025-07-01'],
    ['the first half of 2025', 'hard 2025-01-01..2025-07-02'],
    ['last summer', 'hard 2025-06-01..2025-09-01'],
    ['last winter', 'hard 2025-12-01..2026-03-01'],
    ['last fall', 'hard 2025-09-01..2025-12-01'],
    ['this spring', 'hard 2026-03-01..2026-06-01'],
    ['in the spring', 'hard 2026-03-01..2026-06-01'],
    ['in summer 2024', 'hard 2024-06-01..2024-09-01'],
    ['the summer of 2024', 'hard 2024-06-01..2024-09-01'],
    ['winter 2025', 'hard 2025-12-01..2026-03-01'],
    ['in week 12', 'hard 2026-03-16..2026-03-23'],
    ['week 12 of 2025', 'hard 2025-03-17..2025-03-24'],
    ['2025-W12', 'hard 2025-03-17..2025-03-24'],
    ['in 2024', 'hard 2024-01-01..2025-01-01'],
    ['the year 2024', 'hard 2024-01-01..2025-01-01'],
    ['since 2023', 'hard 2023-01-01..'],
    ['before 2020', 'hard ..2020-01-01'],
    ['early 2025', 'hard 2025-01-01..2025-05-02'],
    ['mid-2025', 'hard 2025-05-02..2025-09-01'],
    ['at the end of 2024', 'hard 2024-10-01..2025-01-01'],
  ]);
});

describe('two ends', () => {
  check([
    ['between March and May', 'hard 2026-03-01..2026-06-01'],
    ['from March to May', 'hard 2026-03-01..2026-06-01'],
    ['March–May', 'hard 2026-03-01..2026-06-01'],
    ['March-May 2024', 'hard 2024-03-01..2024-06-01'],
    ['between November and February', 'hard 2025-11-01..2026-03-01'],
    ['between March 2024 and May', 'hard 2024-03-01..2024-06-01'],
    ['between March and May 2024', 'hard 2024-03-01..2024-06-01'],
    ['from 2023 to 2024', 'hard 2023-01-01..2025-01-01'],
    ['between 2025-03-01 and 2025-04-01', 'hard 2025-03-01..2025-04-02'],
    ['between the 3rd and the 10th of June', 'hard 2026-06-03..2026-06-11'],
    ['from Monday to Tuesday', 'hard 2026-06-15..2026-06-17'],
    ['from Thursday until Monday', 'hard 2026-06-11..2026-06-16'],
    ['since March and before June', 'hard 2026-03-01..2026-06-01'],
    ['after 2025-03-01, until 2025-04-01', 'hard 2025-03-02..2025-04-02'],
  ]);
});
