// Which time words mean, on a Wednesday afternoon in June, in the zone of the process.
import { describe, expect, it } from 'vitest';
import { readTimeArgument } from './time-argument.ts';
import { readSpan, readTimePhrase } from './time-phrase.ts';

/** A Wednesday. */
const now = new Date(2026, 5, 17, 14, 30).getTime();

const write = (time: number | undefined) => {
  if (time === undefined) return '';
  const date = new Date(time);
  const pad = (value: number) => String(value).padStart(2, '0');
  const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return clock === '00:00' ? day : `${day} ${clock}`;
};

describe('readTimePhrase: the past time of a question', () => {
  it.each([
    ['was haben wir gestern beschlossen?', 'gestern', '2026-06-16..2026-06-17'],
    ['vor drei Tagen ist der Server ausgefallen', 'vor drei tagen', '2026-06-14..2026-06-15'],
    ["qu'avons-nous fait la semaine dernière ?", 'la semaine dernière', '2026-06-08..2026-06-15'],
    ['¿qué hicimos el mes pasado?', 'el mes pasado', '2026-05-01..2026-06-01'],
    ['há 3 dias o servidor caiu', 'há 3 dias', '2026-06-14..2026-06-15'],
    ['что мы решили позавчера?', 'позавчера', '2026-06-15..2026-06-16'],
    ['ماذا قررنا الأسبوع الماضي؟', 'الأسبوع الماضي', '2026-06-08..2026-06-15'],
    ['हमने पिछले महीने क्या किया?', 'पिछले महीने', '2026-05-01..2026-06-01'],
    ['我们三天前改了什么？', '三天前', '2026-06-14..2026-06-15'],
    ['昨日は何を決めましたか？', '昨日', '2026-06-16..2026-06-17'],
    ['지난주에 무엇을 배포했나요?', '지난주', '2026-06-08..2026-06-15'],
  ])('reads %j in its language', (question, phrase, span) => {
    const found = readTimePhrase(question, now);
    expect(found?.phrase).toBe(phrase);
    expect(`${write(found?.from)}..${write(found?.to)}`).toBe(span);
  });

  it.each([
    ['what did we do yesterday?', 'yesterday', '2026-06-16..2026-06-17'],
    ['what broke the day before yesterday', 'the day before yesterday', '2026-06-15..2026-06-16'],
    ["last week's deploy", 'last week', '2026-06-08..2026-06-15'],
    ['bugs of the week before last', 'of the week before last', '2026-06-01..2026-06-08'],
    ['what changed over the past two weeks?', 'over the past two weeks', '2026-06-03..2026-06-18'],
    ['what happened in the last week', 'in the last week', '2026-06-10..2026-06-18'],
    ['what happened in the last 24 hours', 'in the last 24 hours', '2026-06-16 14:30..2026-06-18'],
    ['3 days ago we decided', '3 days ago', '2026-06-14..2026-06-15'],
    ['what did I do two weeks ago', 'two weeks ago', '2026-05-31..2026-06-07'],
    ['a couple of days ago', 'a couple of days ago', '2026-06-15..2026-06-16'],
    ['what did we decide in March?', 'in March', '2026-03-01..2026-04-01'],
    ['what did we decide in July', 'in July', '2025-07-01..2025-08-01'],
    ['in May last year', 'in May last year', '2025-05-01..2025-06-01'],
    ['late March 2025', 'late March 2025', '2025-03-21..2025-04-01'],
    ['decided on May 3, 2024', 'on May 3, 2024', '2024-05-03..2024-05-04'],
    ['decided on the 3rd of May', 'on the 3rd of May', '2026-05-03..2026-05-04'],
    ['the outage of 2026-02-11', 'of 2026-02-11', '2026-02-11..2026-02-12'],
    ['who worked here in 2024', 'in 2024', '2024-01-01..2025-01-01'],
    ['goals of Q1', 'of Q1', '2026-01-01..2026-04-01'],
    ['last Friday', 'last Friday', '2026-06-12..2026-06-13'],
    ['since Monday', 'since Monday', '2026-06-15..'],
    ['everything since last month', 'since last month', '2026-05-01..'],
    ['rules before 2026-05-01', 'before 2026-05-01', '..2026-05-01'],
    ['until last month', 'until last month', '..2026-06-01'],
    ['after last week', 'after last week', '2026-06-15..'],
    ['between March and May', 'between March and May', '2026-03-01..2026-06-01'],
    ['between November and March', 'between November and March', '2025-11-01..2026-04-01'],
    ['from January to March 2025', 'from January to March 2025', '2025-01-01..2025-04-01'],
    ['what did Nate recently see in May 2026', 'in May 2026', '2026-05-01..2026-06-01'],
    ['what did we change recently', 'recently', '2026-05-18..2026-06-18'],
    ['last weekend', 'last weekend', '2026-06-13..2026-06-15'],
  ])('%s', (text, phrase, span) => {
    const found = readTimePhrase(text, now);
    expect(found?.phrase).toBe(phrase);
    const { from, to } = found ?? {};
    expect(`${write(from)}..${write(to)}`).toBe(span);
  });

  it.each([
    'can I ship on friday?',
    'what is due today?',
    'who is on call this week?',
    'release in December 2031',
    'is next March free?',
    'the last commit',
    'this may fail',
    'march through the tests',
    'the least recently used page',
    'error at 2026-06-01T10:00:00Z in the log',
    '2026-06-01 10:00:00 ERROR cannot connect',
    'version 2024.1 of the app',
    'port 2024',
    'add 2 days to the deadline',
    '31 June',
    'the second-last week',
  ])('%s: none', (text) => expect(readTimePhrase(text, now)).toBeUndefined());
});

describe('readSpan: a whole argument', () => {
  it.each([
    ['today', '2026-06-17..2026-06-18'],
    ['friday', '2026-06-12..2026-06-13'],
    ['on Wednesday', '2026-06-17..2026-06-18'],
    ['this week', '2026-06-15..2026-06-22'],
    ['2026-06-01', '2026-06-01..2026-06-02'],
    ['2026-06', '2026-06-01..2026-07-01'],
    ['2026-06-01T10:15', '2026-06-01 10:15..2026-06-01 10:15'],
    ['2 months ago', '2026-04-17..2026-04-18'],
    ['90d', '2026-03-19..2026-03-20'],
    ['  In  March ', '2026-03-01..2026-04-01'],
    ['2026-02-30', undefined],
    ['foo 3', undefined],
  ])('%s', (text, span) => {
    const found = readSpan(text, now);
    expect(found && `${write(found.from)}..${write(found.to)}`).toBe(span);
  });

  it('until and as_of include the day they name', () => {
    expect(write(readTimeArgument('yesterday', 'until', now))).toBe('2026-06-17');
    expect(write(readTimeArgument('2026-06-01', 'as_of', now))).toBe('2026-06-01 23:59');
    expect(readTimeArgument('today', 'as_of', now)).toBe(now);
    expect(() => readTimeArgument('soonish', 'since', now)).toThrow('it is not a time');
  });
});
