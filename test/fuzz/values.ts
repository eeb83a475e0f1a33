// Values that are valid JSON and seldom what is expected: wrong types, edges of numbers, names every object inherits.
import type { Random } from './random.ts';

/** As JSON text, because some of them (an own `__proto__`, a number beyond all doubles) do not survive as values. */
const oddTexts = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '-0',
  '1.5',
  '1e3',
  '1e308',
  '1e400',
  '-1e-400',
  '9007199254740993',
  '""',
  '" "',
  '"2.0"',
  '"constructor"',
  '"__proto__"',
  '"\\u0000"',
  '"\\ud800"',
  '"\u2028\u2029"',
  '"\\r\\n"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":""}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2}',
  '{"length":-1}',
  '{"then":1}',
  '{"jsonrpc":"2.0","id":"dup-0","method":"ping"}',
];

export function makeOddText(random: Random): string {
  if (random.chance(0.9)) return random.pick(oddTexts);
  const depth = 1 + random.int(60);
  return random.chance(0.5)
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;
}

export const inheritedNames = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineSetter__'];
