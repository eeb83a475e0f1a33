// Concurrent changes of one memory: every pair of operations has a written outcome, whichever arrives first, and random histories
// of five devices end in one state.
import { describe, expect, it } from 'vitest';
import { msOf, tick } from './clock.ts';
import { breakCircle, foldOps } from './fold.ts';
import { nameOp, type OpKind, opKinds, readOp, type SharedOp, writeOp } from './op.ts';

const start = Date.UTC(2026, 0, 1);
const year = 365 * 86_400_000;
const base = { by: '', gen: 0, prev: [] as string[] };

/** What both devices have seen before they part. */
const common: SharedOp[] = [
  { ...base, op: 'put', id: 'n_a', at: tick(start, []), dev: 'd_0', set: { text: 'base' }, add: ['t'] },
  { ...base, op: 'forget', id: 'n_a', at: tick(start + 1, []), dev: 'd_0' },
  {
    ...base,
    op: 'link',
    id: 'n_a',
    at: tick(start + 2, []),
    dev: 'd_0',
    link: { kind: 'about', to: 'n_z', weight: 1 },
  },
  // Restored, except where a pair tests restoring.
  { ...base, op: 'restore', id: 'n_a', at: tick(start + 3, []), dev: 'd_0' },
].map((op, at, all) => ({ ...op, prev: all.slice(Math.max(0, at - 1), at).map(nameOp) }) as SharedOp);

const parts: Record<OpKind, (who: string) => Partial<SharedOp>> = {
  put: (who) => ({ set: { text: `put ${who}` } }),
  amend: (who) => ({ set: { text: `edit ${who}` }, add: [who] }),
  supersede: (who) => ({ with: `n_${who}`, since: 1 }),
  forget: () => ({}),
  restore: () => ({}),
  link: (who) => ({ link: { kind: 'about', to: `n_${who}`, weight: 1 } }),
  unlink: () => ({ link: { kind: 'about', to: 'n_z', weight: 1 } }),
  retract: () => ({}),
};

function show(ops: readonly SharedOp[]): string {
  const { memory } = foldOps(ops);
  if (!memory) return 'gone';
  const { fields, rivals, tags, forgotten, supersessions, links } = memory;
  return [
    [fields.text, ...rivals.map(({ text }) => text)].join(' | '),
    ...tags.map((tag) => `#${tag}`),
    ...(forgotten ? ['forgotten'] : []),
    ...supersessions.map((one) => `by ${one.with}`),
    ...links.map(({ to }) => `→${to}`),
  ].join(' ');
}

/** `a` is the earlier device by its clock, `b` the later; neither knows of the other. */
const outcomes: Record<string, string> = {
  'put put': 'put b | put a #t →n_z',
  'put amend': 'edit b | put a #b #t →n_z',
  'put supersede': 'put a #t by n_b →n_z',
  'put forget': 'put a #t forgotten →n_z',
  'put restore': 'put a #t →n_z',
  'put link': 'put a #t →n_b →n_z',
  'put unlink': 'put a #t',
  'put retract': 'gone',
  'amend amend': 'edit b | edit a #a #b #t →n_z',
  'amend supersede': 'edit a #a #t by n_b →n_z',
  'amend forget': 'edit a #a #t forgotten →n_z',
  'amend restore': 'edit a #a #t →n_z',
  'amend link': 'edit a #a #t →n_b →n_z',
  'amend unlink': 'edit a #a #t',
  'amend retract': 'gone',
  'supersede supersede': 'base #t by n_b by n_a →n_z',
  'supersede forget': 'base #t forgotten by n_a →n_z',
  'supersede restore': 'base #t by n_a →n_z',
  'supersede link': 'base #t by n_a →n_b →n_z',
  'supersede unlink': 'base #t by n_a',
  'supersede retract': 'gone',
  'forget forget': 'base #t forgotten →n_z',
  'forget restore': 'base #t forgotten →n_z',
  'forget link': 'base #t forgotten →n_b →n_z',
  'forget unlink': 'base #t forgotten',
  'forget retract': 'gone',
  'restore restore': 'base #t →n_z',
  'restore link': 'base #t →n_b →n_z',
  'restore unlink': 'base #t',
  'restore retract': 'gone',
  'link link': 'base #t →n_a →n_b →n_z',
  'link unlink': 'base #t →n_a',
  'link retract': 'gone',
  'unlink unlink': 'base #t',
  'unlink retract': 'gone',
  'retract retract': 'gone',
};

describe('two concurrent operations', () => {
  const pairs = opKinds.flatMap((first, at) => opKinds.slice(at).map((second) => [first, second] as const));
  it('are thirty-six pairs', () => expect(pairs.map((pair) => pair.join(' '))).toEqual(Object.keys(outcomes)));

  it.each(pairs)('%s and %s have one outcome in every order, with clocks a year apart', (first, second) => {
    // A pair with a restoration starts from a forgotten memory.
    const before = first === 'restore' || second === 'restore' ? common.slice(0, 3) : common;
    const prev = [nameOp(before.at(-1) as SharedOp)];
    const seen = before.map(({ at }) => at);
    const make = (op: OpKind, who: string, wall: number): SharedOp => ({
      ...base,
      op,
      id: 'n_a',
      dev: `d_${who}`,
      at: tick(wall, seen),
      prev,
      ...parts[op](who),
    });
    for (const skew of [1, year]) {
      const a = make(first, 'a', start - skew);
      const b = make(second, 'b', start + 10 + skew);
      const expected = outcomes[`${first} ${second}`];
      expect(show([...before, a, b])).toBe(expected);
      expect(show([b, a, ...before, a].reverse())).toBe(expected);
      expect(show([b, ...before].concat(a, b))).toBe(expected);
    }
  });

  it('is settled by an edit in knowledge of both', () => {
    const edit = (who: string, text: string, prev: readonly SharedOp[]): SharedOp => ({
      ...base,
      op: 'amend',
      id: 'n_a',
      dev: `d_${who}`,
      at: tick(
        start,
        [...common, ...prev].map(({ at }) => at),
      ),
      prev: prev.map(nameOp),
      set: { text },
    });
    const [a, b] = [edit('a', 'one', [common[3] as SharedOp]), edit('b', 'two', [common[3] as SharedOp])];
    expect(show([...common, a, b])).toBe('two | one #t →n_z');
    expect(show([edit('a', 'both', [a, b]), b, a, ...common])).toBe('both #t →n_z');
  });

  it('cannot supersede each other away', () => {
    const one = { with: 'n_b', since: 1, at: tick(1, []), dev: 'd_a' };
    const two = { with: 'n_a', since: 1, at: tick(2, []), dev: 'd_b' };
    const successorOf = (id: string) => ({ n_a: one, n_b: two })[id];
    expect(breakCircle('n_a', successorOf)).toEqual({ id: 'n_a', dropped: one });
    expect(breakCircle('n_b', successorOf)).toEqual({ id: 'n_a', dropped: one });
    expect(breakCircle('n_a', (id) => (id === 'n_a' ? one : undefined))).toBeUndefined();
  });
});

/** A small generator with a seed, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('a random history', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('%i of five devices ends in one state', (seed) => {
    const random = createRandom(seed + 1);
    const skews = Array.from({ length: 5 }, () => (random(3) - 1) * random(year));
    const known: SharedOp[][] = [[], [], [], [], []];
    const all: SharedOp[] = [];
    const hear = (dev: number, op: SharedOp) => void known[dev]?.push(op);
    for (let step = 0; step < 30; step++) {
      const dev = random(5);
      const own = known[dev] as SharedOp[];
      // Partitions: a device hears some of what others did, in any order and more than once.
      for (let heard = random(4); heard > 0 && all.length > 0; heard--) hear(dev, all[random(all.length)] as SharedOp);
      const { heads, gen, memory } = foldOps(own);
      const kind = memory === undefined ? 'put' : (opKinds[random(20) === 0 ? 7 : random(7)] as OpKind);
      const at = tick(
        start + step * 1_000 + (skews[dev] as number),
        own.map((op) => op.at),
      );
      const who = `${dev}${step}`;
      const link = { kind: 'about', to: `n_${random(3)}`, weight: 1 };
      const isLink = kind === 'link' || kind === 'unlink';
      const op: SharedOp = {
        ...base,
        op: kind,
        id: 'n_a',
        dev: `d_${dev}`,
        at,
        gen: kind === 'retract' ? Math.max(0, gen) : gen,
        prev: heads,
        ...(isLink ? { link } : parts[kind](who)),
      };
      expect(readOp(writeOp(op), op.dev, '')).toEqual(op);
      // Later than everything its author knew, whatever the clock says.
      expect(own.every((other) => other.at < at)).toBe(true);
      all.push(op);
      hear(dev, op);
    }
    const shuffled = () => [...all, ...all.slice(0, random(all.length))].map((op) => ({ op, by: random(1_000) }));
    const states = known.map((own) => {
      const rest = shuffled().sort((a, b) => a.by - b.by);
      return JSON.stringify(foldOps([...own, ...rest.map(({ op }) => op)]));
    });
    expect(new Set(states).size).toBe(1);
  });
});

it('a time is readable and later than a clock that is years ahead', () => {
  const ahead = tick(start + year, []);
  expect(tick(start, [ahead]) > ahead).toBe(true);
  expect(msOf(tick(start, []))).toBe(start);
});

describe('an operation from elsewhere', () => {
  const line = writeOp({ ...base, op: 'put', id: 'n_a', at: tick(start, []), dev: 'd_a', set: { text: 'x' } });
  const change = (more: object) => JSON.stringify({ ...JSON.parse(line), ...more });
  it('is accepted if it is whole', () => expect(readOp(line, 'd_a', 'Ann')).toMatchObject({ by: 'Ann', gen: 0 }));
  it.each([
    ['another kind', { op: 'drop' }],
    ['an id of another kind', { id: 'prj_1' }],
    ['a time beyond all others', { at: 'z'.repeat(13) }],
    ['an unknown part', { path: '/etc/passwd' }],
    ['an unknown field', { set: { text: 'x', project: 'p' } }],
    ['a field of another type', { set: { text: 'x', importance: 2 } }],
    ['no text', { set: { title: 'x' } }],
    ['a negative generation', { gen: -1 }],
    ['prototype keys', { set: { text: 'x', constructor: 1 } }],
    ['too many tags', { add: Array.from({ length: 65 }, String) }],
    ['a part of another kind', { with: 'n_b' }],
    ['a part of another kind that is not a text', { with: { to: 'n_b' } }],
    ['a time that is no date', { set: { text: 'x', expires: 8.64e15 + 1 } }],
    [
      'an edge that only this database makes',
      { op: 'link', set: undefined, link: { kind: 'in', to: 'n_b', weight: 1 } },
    ],
  ])('is refused with %s', (_, more) => expect(readOp(change(more), 'd_a', '')).toBeUndefined());
});
