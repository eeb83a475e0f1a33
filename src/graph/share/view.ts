// Memories of a log as they stand: each with its operations, its folded state, and what the state is of those it refers to.
import type { Transaction } from '../../store/store.ts';
import { describeFolded } from './capture.ts';
import type { SharedState } from './export.ts';
import { breakCircle, type FoldedOps, foldOps, type SharedSuccessor } from './fold.ts';
import { type JudgedOp, nameSigner, readOps, type ShareLog } from './log.ts';
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
  judged: readonly JudgedOp[];
}

export async function viewLog(
  store: Pick<Transaction, 'all' | 'one'>,
  log: ShareLog,
  ids: readonly string[],
  { more, judged }: LogChange = { more: [], judged: [] },
): Promise<LogView> {
  const ops = new Map<string, SharedOp[]>();
  const folds = new Map<string, FoldedOps>();
  const changes = new Map<string, { more: SharedOp[]; judged: JudgedOp[] }>();
  const changeOf = (id: string) => {
    const change = changes.get(id) ?? { more: [], judged: [] };
    changes.set(id, change);
    return change;
  };
  for (const op of more) changeOf(op.id).more.push(op);
  for (const op of judged) changeOf(op.id).judged.push(op);
  async function load(wanted: readonly string[]): Promise<void> {
    const missing = [...new Set(wanted)].filter((id) => id !== '' && !ops.has(id));
    const found = await readOps(store, log, missing);
    for (const id of missing) {
      const change = changes.get(id);
      const stored = found.get(id) ?? [];
      const all = change ? changeOps(stored, change) : stored;
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

/** Of one memory. */
function changeOps(stored: readonly SharedOp[], { more, judged }: LogChange): SharedOp[] {
  const ops = new Map(stored.map((op) => [hashOp(op), op]));
  for (const { hash, signer } of judged) {
    const op = ops.get(hash);
    if (op && signer !== undefined) ops.set(hash, nameSigner(op, signer));
    else ops.delete(hash);
  }
  for (const op of more) ops.set(hashOp(op), { ...op, ...ops.get(hashOp(op)) });
  return [...ops.values()];
}
