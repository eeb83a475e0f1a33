// The line splitter: whatever the chunks, the same lines; bad lines cost no other; memory stays bounded.
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

function split(chunks: (string | Buffer)[], maxBytes = 100): string[] {
  const seen: string[] = [];
  const splitter = new LineSplitter(maxBytes, {
    line: (text) => seen.push(text),
    unreadable: (reason) => seen.push(`<${reason}>`),
  });
  for (const chunk of chunks) splitter.feed(Buffer.from(chunk));
  splitter.end();
  return seen;
}

describe('LineSplitter', () => {
  it('finds the same lines however they arrive', () => {
    const bytes = Buffer.from('{"a":"ä"}\r\n\n  {"b":"\u2028"}\n{"c":3}');
    const whole = ['{"a":"ä"}', '{"b":"\u2028"}', '{"c":3}'];
    expect(split([bytes])).toEqual(whole);
    for (let at = 1; at < bytes.length; at++) {
      expect(split([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    expect(split([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('skips a line that is not UTF-8, and only that', () => {
    const bad = Buffer.from([0x61, 0xff, 0x62, 0x0a]);
    expect(split([Buffer.concat([Buffer.from('one\n'), bad, Buffer.from('two\n')])])).toEqual([
      'one',
      '<encoding>',
      'two',
    ]);
  });

  it('skips a line that is too long, once, wherever its chunks end', () => {
    const long = 'x'.repeat(101);
    expect(split([`one\n${long}\ntwo\n`])).toEqual(['one', '<length>', 'two']);
    expect(split(['one\n', long.slice(0, 60), long.slice(60), 'yyy', '\ntwo'])).toEqual(['one', '<length>', 'two']);
  });
});
