// Patterns from outside match as usual, and never stop the server.
import { expect, it } from 'vitest';
import { compilePattern } from './foreign-pattern.ts';

it.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'ab1', false],
  ['^(?:[a-z]+-)*[a-z]+$', 'a-b-c', true],
  ['^(?:[a-z]+-)*[a-z]+$', 'a-b-', false],
  ['^\\p{L}{2,}\\d*$', 'ab12', true],
])('a pattern: %s matches %s: %s', (source, text, isMatch) => {
  expect(compilePattern(source, 'u').test(text)).toBe(isMatch);
});

it.each(['^(a+)+$', '^(a|aa)+$', '^(.*a){20}$', '(x+x+)+y', '^a*a*a*a*a*a*b$'])(
  'a pattern: %s ends in time',
  (source) => {
    compilePattern(source, 'u').test(`${'a'.repeat(5_000)}${'x'.repeat(100)}!`);
  },
);

it('a pattern: is refused if it is not one', () => {
  expect(() => compilePattern('(', 'u')).toThrow();
});
