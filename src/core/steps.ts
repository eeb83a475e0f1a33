// Long work on the event loop in steps: a generator yields where others may be served, and is resumed until the time slice is
// over. All work that starts in one turn of the event loop shares a slice, because awaiting a resolved promise does not end
// a turn. Unfinished work shares one queue, so that ten long calls delay a short one as much as one does.
import type { Soon } from './attempt.ts';

/** Work that yields after each step of at most a few milliseconds. */
export type Steps<T> = Generator<void, T, void>;

const sliceMs = 8;

const queue: (() => boolean)[] = [];

/** When the slice of this turn of the event loop ends; undefined before the first long work in it. */
let sliceEnd: number | undefined;

function findSliceEnd(): number {
  if (sliceEnd === undefined) {
    sliceEnd = performance.now() + sliceMs;
    setImmediate(() => {
      sliceEnd = undefined;
    });
  }
  return sliceEnd;
}

/** Runs to the end: for short work, or if nothing else has to be served. */
export function runNow<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Ends this turn of the event loop if it has lasted long: between pieces of work that are short, but not together, such as
 * queries that are answered at once. Twice a slice, so that a short call beside long work is not delayed at each query.
 */
export function yieldTurn(): Promise<void> | undefined {
  if (performance.now() < findSliceEnd() + sliceMs) return undefined;
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Items sorted in one step. */
const sortedAtOnce = 2_000;

/** Sorts like `Array.sort`: sorts parts of the list and merges them. */
export function* sortInSteps<T>(items: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (items.length <= sortedAtOnce) return items.sort(compare);
  const half = items.length >> 1;
  const left = yield* sortInSteps(items.slice(0, half), compare);
  const right = yield* sortInSteps(items.slice(half), compare);
  let [at, other] = [0, 0];
  for (let place = 0; place < items.length; place++) {
    const takesLeft = other === right.length || (at < left.length && compare(left[at] as T, right[other] as T) <= 0);
    items[place] = (takesLeft ? left[at++] : right[other++]) as T;
    if (place % sortedAtOnce === 0) yield;
  }
  return items;
}

/** The result itself if it is ready within this turn's slice, otherwise a promise. */
export function runSoon<T>(steps: Steps<T>): Soon<T> {
  const first = runSlice(steps);
  if (first.done) return first.value;
  return new Promise((resolve, reject) => {
    queue.push(() => {
      try {
        const step = runSlice(steps);
        if (step.done) resolve(step.value);
        return step.done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    });
    if (queue.length === 1) setImmediate(runQueue);
  });
}

function runSlice<T>(steps: Steps<T>): IteratorResult<void, T> {
  let step = steps.next();
  if (step.done) return step;
  const until = findSliceEnd();
  while (!step.done && performance.now() < until) step = steps.next();
  return step;
}

/** One slice of one task for each turn of the event loop. */
function runQueue(): void {
  const [work] = queue;
  const isDone = work?.() ?? true;
  queue.shift();
  if (work && !isDone) queue.push(work);
  if (queue.length > 0) setImmediate(runQueue);
}
