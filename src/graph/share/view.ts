// Memories of a log as they stand: each with its operations, its folded state, and what the state is of those it refers to.
import type { Transaction } from '../../store/store.ts';
import { describeFolded } from './capture.ts';
import type { SharedState } from './export.ts';
import { breakCircle, type FoldedOps, foldOps, type SharedSuccessor } from './fold.ts';
import { readOps, type ShareLog } from './log.ts';
import { hashOp, type SharedOp, targetOf } from './op.ts';

export interface LogView {
  /** Of one memory; empty if the log does not know it. */
  opsOf(id: string): readonly SharedOp[];
  foldedOf(id: string): FoldedOps;
  /** Whether it is shared now. Only for memories that were asked for, and those they refer to. */
  isLive(id: string): boolean;
  stateOf(id: string): SharedState | undefined;
  /** All shared memories that supersede it, the newest first. */
  successorsOf(id: string): SharedSuccessor[];
  /** The memories that these lead to by supersession, themselves included. */
  chains(ids: readonly string[]): string[];
}

/** Longer chains are not followed to look for a circle. */
const mostSteps = 50;
const nothing: FoldedOps = { memory: undefined, heads: [], gen: 0, retracted: false };

export interface LogChange {
  /** Operations that are not in the database yet, or not with their signer. */
  more: readonly SharedOp[];
  /** By `hashOp`. */
  without: ReadonlySet<string>;
}

export async function viewLog(
  store: Pick<Transaction, 'all' | 'one'>,
  log: ShareLog,
  ids: readonly string[],
  { more, without }: LogChange = { more: [], without: new Set() },
): Promise<LogView> {
  const ops = new Map<string, SharedOp[]>();
  const folds = new Map<string, FoldedOps>();
  const extra = new Map<string, SharedOp[]>();
  for (const op of more) extra.set(op.id, [...(extra.get(op.id) ?? []), op]);
  async function load(wanted: readonly string[]): Promise<void> {
    const missing = [...new Set(wanted)].filter((id) => id !== '' && !ops.has(id));
    const found = await readOps(store, log, missing);
    for (const id of missing) {
      const stored = (found.get(id) ?? []).filter((op) => without.size === 0 || !without.has(hashOp(op)));
      const all = [...stored, ...(extra.get(id) ?? [])];
      ops.set(id, all);
      folds.set(id, all.length === 0 ? nothing : foldOps(all));
    }
  }
  await load(ids);
  await load([...ops.values()].flat().map(targetOf));
  for (let step = 0; step < mostSteps; step++) {
    const next = [...ops.values()].flat().flatMap((op) => op.with ?? []);
    if (next.every((id) => ops.has(id))) break;
    await load(next);
  }
  const foldedOf = (id: string) => folds.get(id) ?? nothing;
  const isLive = (id: string) => foldedOf(id).memory !== undefined;
  const successorsOf = (id: string) => foldedOf(id).memory?.supersessions.filter((one) => isLive(one.with)) ?? [];
  const newest = (id: string) => successorsOf(id)[0];
  return {
    opsOf: (id) => ops.get(id) ?? [],
    foldedOf,
    isLive,
    successorsOf,
    stateOf(id) {
      const { memory } = foldedOf(id);
      if (!memory) return undefined;
      const successor = breakCircle(id, newest)?.id === id ? undefined : newest(id)?.with;
      return describeFolded(memory, successor, isLive);
    },
    chains(given) {
      const found = new Set(given);
      for (const id of found) {
        const next = newest(id)?.with;
        if (next !== undefined && found.size < given.length + mostSteps) found.add(next);
      }
      return [...found];
    },
  };
}
