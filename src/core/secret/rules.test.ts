// Every rule as data, and as a promise: no input, however hostile, makes a pattern take more than linear time.
import { describe, expect, it } from 'vitest';
import { redact } from '../redact.ts';
import { listSecretRules } from './rules.ts';

const secretRules = listSecretRules();
const megabyte = 1 << 20;
/** Milliseconds. The slowest takes about 1,000 on a busy machine; a quadratic pattern would take minutes. */
const limit = 5_000;

function fill(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Stretches that invite a backtracking pattern to try again and again from every keyword. */
function writeHostile(keyword: string): string {
  const units = [
    keyword,
    `${keyword}a`,
    ` ${keyword}=`,
    `"${keyword}":"`,
    `${keyword} ${'aB3'.repeat(20)}`,
    `${keyword}.-`,
  ];
  const long = [`${keyword}`, `${keyword}="`, `${keyword}: `, `${keyword}://`];
  const stretch = megabyte / (units.length + long.length);
  return [
    ...units.map((unit) => fill(unit, stretch)),
    ...long.map((head) => ` ${head}${fill('aB3-', stretch - head.length - 1)}`),
  ].join('');
}

function measure(text: string): number {
  // Of this process alone: the machine may be busy with other things.
  const before = process.cpuUsage();
  redact(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('every rule', () => {
  it.each(secretRules)('$id ($description) is well formed', (rule) => {
    expect(rule.id).toMatch(/^[a-z0-9-]{3,30}$/);
    expect(rule.pattern.flags).toMatch(/^di?y$/);
    for (const keyword of rule.keywords) {
      expect(keyword.length).toBeGreaterThanOrEqual(3);
      if (rule.anyCase) expect(keyword).toBe(keyword.toLowerCase());
    }
  });

  it.each(secretRules)('$id ($description) stays linear on a hostile megabyte', (rule) => {
    redact(writeHostile(rule.keywords[0] as string).slice(0, 10_000));
    expect(measure(writeHostile(rule.keywords[0] as string))).toBeLessThan(limit);
  });
});

describe('a hostile megabyte', () => {
  it.each([
    ['one endless token', fill('eyJhbGciOiJIUzI1NiJ9', megabyte)],
    ['tokens without an end', fill('eyJhbGciOiJIUzI1NiJ9.', megabyte)],
    ['beginnings of keys', fill('-----BEGIN RSA PRIVATE KEY-----\n', megabyte)],
    ['a key that never ends', `-----BEGIN PRIVATE KEY-----\n${fill('a-b\n', megabyte)}`],
    ['a key of headers', `-----BEGIN PRIVATE KEY-----\n${fill('Abc: a\n', megabyte)}`],
    ['a key of escapes', `-----BEGIN PRIVATE KEY-----${fill('\\n', megabyte)}`],
    ['addresses', fill('://a:b', megabyte)],
    ['white space behind a name', `password${fill(' ', megabyte)}`],
    ['quotes behind names', fill('password"\'`', megabyte)],
    ['assignments', fill('token=', megabyte)],
    ['flags', fill('--token ', megabyte)],
    ['commands', fill('mysql -a ', megabyte)],
    ['a cookie', `Cookie: ${fill('a=b;', megabyte)}`],
    ['cookies', fill('cookie: a=', megabyte)],
    ['marks', fill('[redacted:jwt]', megabyte)],
    ['mail keys', fill('mailgun ', megabyte)],
    ['two-byte text', fill('пароль password: ключ ', megabyte)],
  ])('of %s is read in linear time', (_, text) => {
    expect(measure(text)).toBeLessThan(limit);
  });
});
