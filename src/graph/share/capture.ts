// Turns local changes of shared memories into operations: the difference between a memory as it is here and as the log has it.
// No write path needs to know of sharing, and none can be missed. Everything found here happened after the last import, so an
// operation may name all that the log has as seen.
import { msOf, tick } from './clock.ts';
import type { SharedState } from './export.ts';
import type { FoldedMemory, FoldedOps } from './fold.ts';
import { nameOp, type OpKind, type SharedFields, type SharedOp } from './op.ts';

/** The state that the log describes. */
export function describeFolded(memory: FoldedMemory, successor: string | undefined, isLive: (id: string) => boolean) {
  const { fields, tags, forgotten, links, supersessions } = memory;
  const whole: SharedState = {
    fields: {
      ...empty,
      ...fields,
      // See `describeShared`.
      ...(successor !== undefined && { expires: null }),
    },
    tags,
    forgotten,
    successor,
    since: supersessions.find((one) => one.with === successor)?.since ?? 0,
    links: links.filter(({ to }) => isLive(to)),
  };
  return whole;
}

const empty: Required<Omit<SharedFields, 'text'>> = {
  title: '',
  kind: '',
  knowledge: '',
  importance: 0.5,
  confidence: 1,
  created: 0,
  said: null,
  expires: null,
};

export interface StateDifference {
  set: Partial<SharedFields>;
  add: string[];
  remove: string[];
  forgotten?: boolean;
  /** `null`: it is no longer superseded. */
  successor?: string | null;
  link: SharedState['links'];
  unlink: SharedState['links'];
}

/** From one state to another; undefined if they are equal. `created` never changes. */
export function compareStates(from: SharedState, to: SharedState): StateDifference | undefined {
  const keys = Object.keys(to.fields) as (keyof SharedFields)[];
  const changed = keys.filter((key) => key !== 'created' && from.fields[key] !== to.fields[key]);
  const keyOf = ({ kind, to: end, weight }: SharedState['links'][number]) => JSON.stringify([kind, end, weight]);
  const without = (some: SharedState['links'], others: SharedState['links']) => {
    const known = new Set(others.map(keyOf));
    return some.filter((link) => !known.has(keyOf(link)));
  };
  const difference: StateDifference = {
    set: Object.fromEntries(changed.map((key) => [key, to.fields[key]])),
    add: to.tags.filter((tag) => !from.tags.includes(tag)),
    remove: from.tags.filter((tag) => !to.tags.includes(tag)),
    ...(from.forgotten !== to.forgotten && { forgotten: to.forgotten }),
    ...(from.successor !== to.successor && { successor: to.successor ?? null }),
    link: without(to.links, from.links),
    unlink: without(from.links, to.links).filter(
      (link) => !to.links.some(({ kind, to: end }) => kind === link.kind && end === link.to),
    ),
  };
  const { set, add, remove, link, unlink } = difference;
  const isEqual =
    [Object.keys(set), add, remove, link, unlink].every((part) => part.length === 0) &&
    difference.forgotten === undefined &&
    difference.successor === undefined;
  return isEqual ? undefined : difference;
}

interface OpAuthor {
  dev: string;
  by: string;
  /** When the memory was changed here. */
  wall: number;
}

/** The operations that lead from the log to the state here. */
export function writeChanges(
  id: string,
  before: { folded: FoldedOps; state: SharedState | undefined; seen: readonly string[] },
  now: SharedState,
  { dev, by, wall }: OpAuthor,
): SharedOp[] {
  const ops: SharedOp[] = [];
  const { heads, gen } = before.folded;
  const push = (op: OpKind, rest: Partial<SharedOp> = {}) => {
    const last = ops.at(-1);
    const at = tick(wall, last ? [last.at] : before.seen);
    ops.push({ op, id, at, dev, by, gen, prev: last ? [nameOp(last)] : heads, ...rest });
  };
  const supersede = () => push('supersede', { with: now.successor as string, since: now.since });
  if (!before.state) {
    const fields = Object.entries(now.fields).filter(([key, value]) => value !== empty[key as keyof typeof empty]);
    push('put', { set: Object.fromEntries(fields), ...(now.tags.length > 0 && { add: now.tags }) });
    if (now.forgotten) push('forget');
    if (now.successor !== undefined) supersede();
    for (const link of now.links) push('link', { link });
    return ops;
  }
  const difference = compareStates(before.state, now);
  if (!difference) return ops;
  const { set, add, remove, forgotten, successor, link: linked, unlink: unlinked } = difference;
  if (Object.keys(set).length + add.length + remove.length > 0) {
    push('amend', {
      ...(Object.keys(set).length > 0 && { set }),
      ...(add.length > 0 && { add }),
      ...(remove.length > 0 && { remove }),
    });
  }
  // Restoring undoes both, so what still holds is said again.
  const isRestored = forgotten === false || successor === null;
  if (isRestored) push('restore');
  if (forgotten || (isRestored && now.forgotten)) push('forget');
  if (typeof successor === 'string' || (isRestored && now.successor !== undefined)) supersede();
  for (const link of linked) push('link', { link });
  for (const link of unlinked) push('unlink', { link });
  return ops;
}

/** When the newest of them was made, by its author's clock. */
export function timeOf(ops: readonly SharedOp[]): number {
  return ops.reduce((latest, { at }) => Math.max(latest, msOf(at)), 0);
}
