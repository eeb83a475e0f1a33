// Ways to spoil a good message: in one member, in its text, in its bytes.
import type { Members } from './messages.ts';
import type { Random } from './random.ts';
import { makeOddText } from './values.ts';

export function makeMemberOdd(random: Random, message: Members): Members {
  const key = random.pick([...message.keys()]);
  const change = random.int(4);
  if (change === 0) message.delete(key);
  // Odd but valid ids could meet one under way: only the id's absence and its type are played with.
  else if (key === 'id')
    message.set(key, random.pick(['null', 'true', '1.5', '1e400', '9007199254740993', '{}', '[]']));
  else if (change === 1) message.set(random.pick(['__proto__', 'result', 'error', 'extra']), makeOddText(random));
  else message.set(key, makeOddText(random));
  return message;
}

const insertions = ['{', '}', '[', ']', '"', ',', ':', '\\', '0', '\u0000', '\u2028'];
const prefixes = ['data: ', 'Content-Length: 5\r', '\u001e', '// ', '('];
const notJson = ['2.0', 'NaN', 'Infinity', 'undefined', '.2', '02', '"2.0" // no'];

export function breakText(random: Random, text: string): string {
  const at = random.int(text.length);
  switch (random.int(7)) {
    case 0:
      return text.slice(0, Math.max(1, at));
    case 1:
      return text.slice(0, at) + random.pick(insertions) + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at + 1);
    case 3:
      return text + random.pick(['}', ' x', ',', '\u0000', text]);
    case 4:
      return text.replaceAll('"', "'");
    case 5:
      return text.replace('"2.0"', random.pick(notJson));
    default:
      return random.pick(prefixes) + text;
  }
}

/** A lone byte, a lone continuation, an overlong zero, a surrogate, a code point beyond the last, a cut sequence. */
const badSequences = [[0xff], [0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x80]];

export function breakEncoding(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = random.int(bytes.length);
  const wide = Buffer.from(text, 'utf16le');
  switch (random.int(5)) {
    case 0:
      return wide;
    case 1:
      return wide.swap16();
    case 2:
      return Buffer.concat([Buffer.from([0xff, 0xfe]), wide]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(badSequences)), bytes.subarray(at)]);
    default:
      return Buffer.concat([bytes, Buffer.from(random.pick(badSequences))]);
  }
}
