// The schema module: what it accepts, what it says of the rest, and that its JSON Schema means the same to Ajv.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { LoreError } from './error.ts';
import * as s from './schema.ts';

const schema = s.object({
  query: s.string({ min: 1, max: 10 }),
  limit: s.withDefault(s.integer({ min: 1, max: 100 }), 20),
  ratio: s.optional(s.number()),
  mode: s.optional(s.oneOf(['auto', 'regex'])),
  tags: s.optional(s.list(s.string(), { max: 2 })),
  deep: s.optional(s.object({ on: s.boolean() })),
  extra: s.optional(s.record(s.json())),
});

function refusal(value: unknown): LoreError {
  try {
    s.check(schema, value, 'arguments', 'call "t"');
  } catch (error) {
    return error as LoreError;
  }
  throw new Error('it was accepted');
}

describe('check', () => {
  it('fills in defaults and omits absent values', () => {
    expect(s.check(schema, { query: 'a' }, 'arguments', 'call')).toEqual({ query: 'a', limit: 20 });
  });

  it.each([
    [{}, 'arguments.query', 'string of 1 to 10 characters', 'nothing'],
    [{ query: 7 }, 'arguments.query', 'string of 1 to 10 characters', 'number'],
    [{ query: '' }, 'arguments.query', 'string of 1 to 10 characters', '0 characters'],
    [{ query: 'a', limit: '5' }, 'arguments.limit', 'integer from 1 to 100', 'string'],
    [{ query: 'a', limit: 1.5 }, 'arguments.limit', 'integer from 1 to 100', '1.5'],
    [{ query: 'a', limit: 101 }, 'arguments.limit', 'integer from 1 to 100', '101'],
    [{ query: 'a', mode: 'x' }, 'arguments.mode', 'one of auto, regex', '"x"'],
    [{ query: 'a', tags: ['a', 1] }, 'arguments.tags[1]', 'string', 'number'],
    [{ query: 'a', tags: ['a', 'b', 'c'] }, 'arguments.tags', 'array of at most 2 items', '3 items'],
    [{ query: 'a', deep: {} }, 'arguments.deep.on', 'boolean', 'nothing'],
    [{ query: 'a', deep: null }, 'arguments.deep', 'object', 'null'],
    [[], 'arguments', 'object', 'array'],
    [{ query: 'a', qeury: 'b' }, 'arguments.qeury', 'only query, limit, ratio, mode, tags, deep, extra', '"qeury"'],
  ])('%j is refused at %s', (value, path, expected, received) => {
    const error = refusal(value);
    expect(error.word).toBe('invalid_input');
    expect(error.details).toMatchObject({ path, expected, received });
    expect(error.message).toBe(`Cannot call "t": ${path} should be ${expected}, got ${received}`);
  });

  it('accepts aliases and the other case of a name, and refuses two different values', () => {
    const shape = { case_sensitive: s.optional(s.boolean()), logName: s.string() };
    const named = s.object(shape, { aliases: { log: 'logName' } });
    const read = (value: unknown) => s.check(named, value, 'arguments', 'call "t"');
    const expected = { case_sensitive: false, logName: 'a' };
    expect(read({ caseSensitive: false, log_name: 'a' })).toEqual(expected);
    expect(read({ caseSensitive: false, case_sensitive: false, log: 'a', logName: 'a' })).toEqual(expected);
    expect(JSON.stringify(named.json)).not.toContain('caseSensitive');
    const conflict = 'arguments.logName should be one value, got another one under ';
    expect(() => read({ logName: 'a', log: 'b' })).toThrow(`${conflict}log`);
    expect(() => read({ log: 'b', log_name: 'a' })).toThrow(`${conflict}log_name`);
    for (const typo of ['casesensitive', 'CaseSensitive', 'case_Sensitive', 'logname', 'Log', '__proto__']) {
      expect(() => read(JSON.parse(`{"logName":"a","${typo}":true}`)), typo).toThrow('should be only case_sensitive');
    }
  });

  it('names every invalid path', () => {
    expect(refusal({ limit: 'x', mode: 1 }).details?.issues).toHaveLength(3);
  });

  it('does not repeat long or many unknown keys', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`key${at}`, 1]));
    expect(refusal(many).details?.issues).toHaveLength(20);
    expect(refusal({ query: 'a', ['k'.repeat(1_000_000)]: 1 }).message.length).toBeLessThan(1_000);
  });

  it('is not fooled by inherited or magic keys', () => {
    expect(refusal(JSON.parse('{"query":"a","__proto__":{"limit":1}}')).details?.path).toBe('arguments.__proto__');
    expect(refusal(Object.create({ query: 'a' })).details?.path).toBe('arguments.query');
  });
});

describe('JSON Schema', () => {
  const validate = new Ajv2020().compile(schema.json);

  it.each([
    { query: 'a' },
    { query: 'a', limit: 3, ratio: 0.5, mode: 'auto', tags: ['x'], deep: { on: true }, extra: { any: [1] } },
    {},
    { query: '' },
    { query: 'a', limit: 0 },
    { query: 'a', mode: 'x' },
    { query: 'a', tags: ['a', 'b', 'c'] },
    { query: 'a', unknown: 1 },
    { query: 'a', deep: { on: 'yes' } },
  ])('accepts or refuses %j like our own check', (value) => {
    const issues: s.Issue[] = [];
    schema.read(value, 'arguments', issues);
    expect(validate(value)).toBe(issues.length === 0);
  });
});
