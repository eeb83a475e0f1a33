// One line of input for a case number: mostly a message with something wrong in it. What it must be answered with is the
// model's word.
import { breakEncoding, breakText, makeMemberOdd } from './damage.ts';
import { deepPlaces, deepValues, nest } from './depth.ts';
import { makeId, makeMessage, writeMembers } from './messages.ts';
import { type Ground, type Outcome, predictBytes, Unwanted } from './model.ts';
import { createRandom, type Random } from './random.ts';
import { makeOddText } from './values.ts';

export interface LineCase {
  number: number;
  kind: string;
  bytes: Buffer;
  expected: Outcome;
}

type Maker = (random: Random, number: number, ground: Ground) => string | Buffer;

const makers: [weight: number, kind: string, make: Maker][] = [
  [14, 'as it should be', (random, number) => writeMembers(makeMessage(random, number))],
  [40, 'odd member', (random, number) => writeMembers(makeMemberOdd(random, makeMessage(random, number)))],
  [30, 'broken text', (random, number) => breakText(random, writeMembers(makeMessage(random, number)))],
  [12, 'batch', makeBatch],
  [8, 'broken encoding', (random, number) => breakEncoding(random, writeMembers(makeMessage(random, number)))],
  [6, 'odd value', (random) => makeOddText(random)],
  [6, 'noise', (random) => random.bytes(1 + random.int(80))],
  [4, 'blank', (random) => random.pick(['', ' ', '\t', '\r', ' \t\r', '\ufeff'])],
  [4, 'white space around', (random, number) => `\ufeff \t${writeMembers(makeMessage(random, number))} \r`],
  [2, 'used id', (random) => `{"jsonrpc":"2.0","id":"dup-${random.int(3)}","method":"ping"}`],
  [0.4, 'long id', makeLongId],
  [0.2, 'deep', (random, number) => nest(random.pick(deepPlaces), random.pick(deepValues), makeId(random, number))],
  [0.1, 'too long', (random, _, { maxBytes }) => `"${'x'.repeat(maxBytes - 3 + random.int(3))}"`],
];

const totalWeight = makers.reduce((sum, [weight]) => sum + weight, 0);
const newline = 0x0a;

export function makeLine(seed: number, number: number, ground: Ground): LineCase {
  const random = createRandom(seed, number);
  for (;;) {
    const [kind, make] = pickMaker(random);
    const made = make(random, number, ground);
    const bytes = typeof made === 'string' ? Buffer.from(made) : made;
    if (bytes.includes(newline)) continue;
    try {
      return { number, kind, bytes, expected: predictBytes(bytes, ground) };
    } catch (error) {
      if (!(error instanceof Unwanted)) throw error;
    }
  }
}

/** A line that means the same as a body, which has no blank lines to skip and no byte order mark to forgive. */
export function makeBody(seed: number, number: number, ground: Ground): LineCase {
  for (let attempt = 0; ; attempt++) {
    const line = makeLine(seed + attempt * 7919, number, ground);
    const text = line.bytes.toString();
    if (text.trim() !== '' && text.trim() === text.replace(/^[ \t\r]+|[ \t\r]+$/g, '')) return line;
  }
}

function pickMaker(random: Random): [string, Maker] {
  let point = (random.int(1e6) / 1e6) * totalWeight;
  for (const [weight, kind, make] of makers) {
    point -= weight;
    if (point < 0) return [kind, make];
  }
  throw new Error('the weights do not add up');
}

function makeBatch(random: Random, number: number): string {
  const elements = Array.from({ length: random.int(6) }, () => {
    if (random.chance(0.2)) return makeOddText(random);
    if (random.chance(0.1)) return `{"jsonrpc":"2.0","id":"dup-${number}","method":"ping"}`;
    const message = makeMessage(random, number);
    return writeMembers(random.chance(0.5) ? makeMemberOdd(random, message) : message);
  });
  return `[${elements.join(',')}]`;
}

function makeLongId(random: Random, number: number): string {
  const id = JSON.stringify(`c${number}-${random.pick(['é', '\u2028', 'x']).repeat(1 + random.int(100_000))}`);
  return writeMembers(makeMessage(random, number).set('id', id));
}
