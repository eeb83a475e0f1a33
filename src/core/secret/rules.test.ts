// Every rule as data, and the proof that no text, however hostile, makes one take more than linear time. How long it takes
// is measured by bench/quality/redaction/speed.mjs --hostile.
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';
import { isAscii, type SecretRule } from './rule.ts';
import { listSecretRules } from './rules.ts';
import { scanText } from './scan.ts';

type Node = object;
type Repeat = Node & { item: Node; least: number; most: number; source: string };

interface PatternModule {
  readPattern(pattern: RegExp): Node;
  widthOf(node: Node): number;
  listRepeats(node: Node): { repeat: Repeat; last: boolean }[];
  charactersOf(node: Node): boolean[];
  firstOf(node: Node): boolean[];
}

interface HostileModule {
  listHostileUnits(rule: SecretRule): string[];
  fill(unit: string, length: number): string;
}

const folder = new URL('../../../bench/quality/redaction/', import.meta.url);
const pattern = (await import(new URL('pattern.mjs', folder).href)) as PatternModule;
const hostile = (await import(new URL('hostile.mjs', folder).href)) as HostileModule;

const secretRules = listSecretRules();
/** Characters a pattern may look at from one keyword. */
const widest = 1_600;

function listProblems(rule: SecretRule): string[] {
  const tree = pattern.readPattern(rule.pattern);
  const repeats = pattern.listRepeats(tree);
  const unbounded = repeats.filter(({ repeat }) => pattern.widthOf(repeat) === Number.POSITIVE_INFINITY);
  const problems = unbounded
    .filter(({ repeat, last }) => {
      // The next attempt begins behind the run, because no keyword fits into it, or because the scanner skips it.
      const whole = new RegExp(`^(?:${repeat.source})$`, rule.pattern.flags.replace(/[dy]/g, ''));
      const texts = rule.keywords.flatMap((keyword) =>
        ['a'.repeat(32), ' '.repeat(32)].map((more) => more + keyword + more),
      );
      return texts.some((text) => whole.test(text)) && !rule.run && !(rule.each && last);
    })
    .map(() => 'a repetition without a bound can be entered from many keywords');
  if (unbounded.length === 0 && !rule.run && !rule.each && pattern.widthOf(tree) > widest)
    problems.push('it looks too far ahead');
  for (const { repeat } of repeats) {
    if (repeat.most === 1) continue;
    const inner = pattern.listRepeats(repeat.item).filter(({ repeat: { least, most }, last }) => last && most > least);
    const first = pattern.firstOf(repeat.item);
    if (inner.some((one) => pattern.charactersOf(one.repeat.item).some((has, code) => has && first[code])))
      problems.push('a repetition within a repetition can be split in many ways');
  }
  return problems;
}

describe('every rule', () => {
  it.each(secretRules)('$id ($description) is well formed', (rule) => {
    expect(rule.id).toMatch(/^[a-z0-9-]{3,30}$/);
    expect(rule.pattern.flags).toMatch(/^di?u?y$/);
    for (const keyword of rule.keywords) {
      if (isAscii(keyword)) expect(keyword.length).toBeGreaterThanOrEqual(3);
      if (rule.anyCase) expect(keyword).toBe(keyword.toLowerCase());
    }
  });

  it.each(secretRules)('$id ($description) has a linear bound', (rule) => {
    expect(listProblems(rule)).toEqual([]);
  });

  it('is refused without one', () => {
    const rule = (source: RegExp, more = {}): SecretRule =>
      ({ id: 'test', description: '', keywords: ['xox'], pattern: source, ...more }) as SecretRule;
    expect(listProblems(rule(/xox-(?=[\w-]*\d)[\w-]{20,255}/dy))).toHaveLength(1);
    expect(listProblems(rule(/xox[\w-]{8,}\./dy))).toHaveLength(1);
    expect(listProblems(rule(/xox[\w-]{8,9000}\./dy))).toHaveLength(1);
    expect(listProblems(rule(/xox(?:[a-z]{1,30}){1,30}=/dy))).toHaveLength(1);
    expect(listProblems(rule(/xox[\w-]{8,}\./dy, { run: /[\w-]*/y }))).toEqual([]);
    expect(listProblems(rule(/xox[0-9]{8,}\./dy))).toEqual([]);
  });

  // Within the time-out of a test; a quadratic rule would need minutes.
  it('reads a megabyte of its worst texts', () => {
    for (const rule of secretRules) {
      const units = hostile.listHostileUnits(rule).filter((_, i) => i % 8 === 0);
      redact(units.map((unit) => hostile.fill(unit, Math.ceil(100_000 / units.length))).join('\n'));
    }
  });
});

const megabyte = 1 << 20;

describe('a long text', () => {
  const longestStep = 16_384;

  it('is read in steps, each over a bounded part', () => {
    for (const unit of ['a', 'token=', 'PIN 4821 ', 'пароль 密码是パスワード']) {
      const text = hostile.fill(unit, megabyte);
      let steps = 0;
      const scan = scanText(text);
      for (let step = scan.next(); !step.done; step = scan.next()) steps++;
      expect(steps).toBeGreaterThanOrEqual(text.length / longestStep);
    }
  });

  it('has the same secrets wherever a step ends', () => {
    const secret = ['ghp', 'Zx8Kq2LmVt4RbN7wYc1HsJ0dFgPa3Q0Wk5Te'].join('_');
    const sentence = 'пароль: Xk29fjQpw';
    for (let at = longestStep - 60; at <= longestStep + 4; at++) {
      const fill = '. '.repeat(longestStep).slice(0, at - 1);
      expect(redact(`${fill} ${secret} ${fill}`).text).toBe(`${fill} [redacted:github-token] ${fill}`);
      expect(redact(`${fill} ${sentence}\n${fill}`).text).toBe(`${fill} пароль: [redacted:secret]\n${fill}`);
    }
  });

  it('has a secret in another script before one in Latin', () => {
    expect(redact('пароль: Xk29fjQpw\nthe password is Zk29fjQpw').found).toEqual([{ rule: 'secret', count: 2 }]);
  });
});

describe('a hostile megabyte', () => {
  it.each([
    ['one endless token', 'eyJhbGciOiJIUzI1NiJ9'],
    ['tokens without an end', 'eyJhbGciOiJIUzI1NiJ9.'],
    ['beginnings of tokens', 'eyJ-'],
    ['beginnings of chat tokens', 'xoxb-'],
    ['beginnings of keys', '-----BEGIN RSA PRIVATE KEY-----\n'],
    ['addresses', '://a:b'],
    ['quotes behind names', 'password"\'`'],
    ['assignments', 'token='],
    ['flags', '--token '],
    ['commands', 'mysql -a '],
    ['cookies', 'cookie: a='],
    ['sessions', 'session='],
    ['logins', ':_auth='],
    ['keys of PuTTY', 'Private-Lines: 0'],
    ['marks', '[redacted:jwt]'],
    ['mail keys', 'mailgun '],
    ['sentences', 'the password is the token of the key '],
    ['labels in other scripts', 'пароль 密码是パスワード'],
    ['tables', '|password|\n|--|\n|a|\n'],
  ])('of %s is read to its end', (_, unit) => {
    const text = hostile.fill(unit, megabyte);
    expect(redact(text).text.length).toBeGreaterThan(0);
  });

  it.each([
    ['a key that never ends', '-----BEGIN PRIVATE KEY-----\n', 'a-b\n'],
    ['a key of headers', '-----BEGIN PRIVATE KEY-----\n', 'Abc: a\n'],
    ['a key of escapes', '-----BEGIN PRIVATE KEY-----', '\\n'],
    ['white space behind a name', 'password', ' '],
    ['a cookie', 'Cookie: ', 'a=b;'],
    ['a table without an end', '| password |\n|---|\n', '| a |\n'],
  ])('of %s is read to its end', (_, head, unit) => {
    expect(redact(head + hostile.fill(unit, megabyte)).text.length).toBeGreaterThan(0);
  });
});
