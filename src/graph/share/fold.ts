// The state of a memory as a function of the set of its operations: order, repetition and delay do not change it. An operation
// names those its author had seen (`prev`), so "later" means "made in knowledge of", and clocks only order what is concurrent.
import { authorOf, hashOp, nameOp, type OpKind, type SharedFields, type SharedLink, type SharedOp } from './op.ts';

/** A text that lost against a concurrent one. It stays until somebody edits the memory in knowledge of both. */
export interface RivalText {
  text: string;
  by: string;
}

export interface FoldedMemory {
  fields: SharedFields & { text: string };
  tags: string[];
  forgotten: boolean;
  /** The newest first: more than one if people replaced it at the same time. */
  supersessions: SharedSuccessor[];
  links: SharedLink[];
  rivals: RivalText[];
  /** The author of its text, and whether a signature proves it. */
  by: string;
  signed: boolean;
}

export interface SharedSuccessor {
  with: string;
  since: number;
  at: string;
  dev: string;
}

export interface FoldedOps {
  /** Undefined while it is retracted, or before its first version has arrived. */
  memory: FoldedMemory | undefined;
  /** Operations that no other one has seen; the next one names them. */
  heads: string[];
  /** For the next operation. */
  gen: number;
  /** Whether a retraction ended it. */
  retracted: boolean;
}

/** An operation with its ancestors, as bits by position. */
interface PlacedOp {
  op: SharedOp;
  bit: bigint;
  before: bigint;
}

/** On one memory, the earliest: nobody edits so often, and each operation makes the others slower. */
const mostOps = 5_000;

export function foldOps(given: readonly SharedOp[]): FoldedOps {
  const ops = sortOps(given);
  const ended = ops.reduce((most, { op, gen }) => (op === 'retract' ? Math.max(most, gen) : most), -1);
  const live = ops.filter(({ op, gen }) => op !== 'retract' && gen > ended);
  const placed = place(live.slice(0, mostOps));
  return { memory: foldLive(placed), heads: findHeads(placed), gen: ended + 1, retracted: ended >= 0 };
}

/** By time, then device, then content; each once. */
export function sortOps(ops: readonly SharedOp[]): SharedOp[] {
  // Two of one name come from two copies of one database.
  const named = groupBy(ops, (op) => [nameOp(op)]);
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([, same]) => {
    if (same.length === 1) return same;
    const hashed = [...new Map(same.map((op) => [hashOp(op), op]))];
    return hashed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, op]) => op);
  });
}

/** Each item under all its keys, in the order of the items. */
function groupBy<T>(items: readonly T[], keysOf: (item: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

function place(ops: readonly SharedOp[]): PlacedOp[] {
  const placed: PlacedOp[] = [];
  const seen = new Map<string, bigint>();
  for (const [index, op] of ops.entries()) {
    const bit = 1n << BigInt(index);
    // An author cannot have seen what is dated later; such a reference is ignored everywhere alike.
    const before = op.prev.reduce((bits, name) => bits | (seen.get(name) ?? 0n), 0n);
    const name = nameOp(op);
    seen.set(name, (seen.get(name) ?? 0n) | before | bit);
    placed.push({ op, bit, before });
  }
  return placed;
}

/** Of the given operations, those that no other of them has seen. */
function latest(ops: readonly PlacedOp[]): PlacedOp[] {
  const seen = ops.reduce((bits, { before }) => bits | before, 0n);
  return ops.filter(({ bit }) => (seen & bit) === 0n);
}

function findHeads(placed: readonly PlacedOp[]): string[] {
  return [...new Set(latest(placed).map(({ op }) => nameOp(op)))].sort();
}

function foldLive(placed: readonly PlacedOp[]): FoldedMemory | undefined {
  const first = placed.find(({ op }) => op.op === 'put');
  if (!first) return undefined;
  const of = (...kinds: OpKind[]) => placed.filter(({ op }) => kinds.includes(op.op));
  const fields: SharedFields = {};
  for (const { op } of placed)
    for (const key of Object.keys(op.set ?? {})) assign(fields, placed, key as keyof SharedFields);
  const restored = of('restore').reduce((bits, { before }) => bits | before, 0n);
  const isUndone = ({ bit }: PlacedOp) => (restored & bit) !== 0n;
  const { op: writer = first.op } = setters(placed, 'text').at(-1) ?? {};
  const superseded = of('supersede').filter((one) => !isUndone(one));
  return {
    fields: fields as FoldedMemory['fields'],
    tags: foldTags(placed),
    // A restoration undoes only what it has seen: a concurrent `forget` wins.
    forgotten: of('forget').some((one) => !isUndone(one)),
    supersessions: foldSupersessions(superseded),
    links: foldLinks(of('link', 'unlink')),
    rivals: findRivals(placed),
    by: authorOf(writer),
    signed: writer.signer !== undefined,
  };
}

function setters(placed: readonly PlacedOp[], key: keyof SharedFields): PlacedOp[] {
  return latest(placed.filter(({ op }) => op.set?.[key] !== undefined));
}

/** The last writer wins; of concurrent expiries the earliest does. */
function assign<K extends keyof SharedFields>(fields: SharedFields, placed: readonly PlacedOp[], key: K): void {
  if (fields[key] !== undefined) return;
  const found = setters(placed, key).map(({ op }) => op.set?.[key]);
  const last = found.at(-1);
  const times = key === 'expires' ? found.filter((time) => typeof time === 'number') : [];
  fields[key] = (times.length > 0 ? Math.min(...(times as number[])) : last) as SharedFields[K];
}

/** Nobody reads more of them. */
const mostRivals = 20;

/** Texts that others wrote at the same time as the one that won, the newest ones. */
function findRivals(placed: readonly PlacedOp[]): RivalText[] {
  const all = setters(placed, 'text');
  const won = all.at(-1)?.op.set?.text;
  const others = all
    .filter(({ op }) => op.set?.text !== won)
    .map(({ op }) => ({ text: op.set?.text as string, by: authorOf(op) }));
  return firstOfEach(others, ({ text }) => text).slice(-mostRivals);
}

/** Each tag by itself: the last operation that names it decides, and of concurrent ones an addition. */
function foldTags(placed: readonly PlacedOp[]): string[] {
  const named = groupBy(placed, ({ op }) => new Set([...(op.add ?? []), ...(op.remove ?? [])]));
  const tagged = [...named].filter(([tag, ops]) => latest(ops).some(({ op }) => op.add?.includes(tag)));
  return tagged.map(([tag]) => tag).sort();
}

function foldSupersessions(ops: readonly PlacedOp[]): SharedSuccessor[] {
  const found = latest(ops).map(({ op }) => ({
    with: op.with as string,
    since: op.since as number,
    at: op.at,
    dev: op.dev,
  }));
  return firstOfEach(found.reverse(), (one) => one.with);
}

function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size);
}

function foldLinks(ops: readonly PlacedOp[]): SharedLink[] {
  const groups = groupBy(ops, ({ op: { link } }) => [JSON.stringify([link?.kind, link?.to])]);
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([, same]) => {
    const linked = latest(same).filter(({ op }) => op.op === 'link');
    return linked.at(-1)?.op.link ?? [];
  });
}

/**
 * Which memory supersedes which, without circles: two people may each replace the other's memory, and then both would vanish.
 * The oldest decision of a circle does not count.
 */
export function breakCircle(
  start: string,
  successorOf: (id: string) => SharedSuccessor | undefined,
): { id: string; dropped: SharedSuccessor } | undefined {
  const path = [start];
  for (;;) {
    const next = successorOf(path.at(-1) as string)?.with;
    if (next === undefined || path.includes(next)) {
      if (next !== start) return undefined;
      break;
    }
    path.push(next);
  }
  const steps = path.map((id) => ({ id, dropped: successorOf(id) as SharedSuccessor }));
  return steps.reduce((oldest, step) => (nameOp(step.dropped) < nameOp(oldest.dropped) ? step : oldest));
}
