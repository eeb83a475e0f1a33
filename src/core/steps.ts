// Long work on the event loop, cut into steps: a generator yields wherever others may be served, and is resumed until the
// slice is over. A turn of the event loop has one slice, which all that starts in it shares, because awaiting what is ready
// does not end a turn; and what is left of all work shares one queue, so that ten long calls delay a short one like one.
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

/** To the end at once: for short work, and where nothing else has to be served. */
export function runNow<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Serves others first if this turn's slice is over: between two pieces of work that are short, but not together. */
export function giveWay(): Soon<void> {
  return runSoon(pause());
}

function* pause(): Steps<void> {
  yield;
}

/** The result itself if it is there within this turn's slice, otherwise a promise of it. */
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

/** One slice of one work for each turn of the event loop. */
function runQueue(): void {
  const [work] = queue;
  const isDone = work?.() ?? true;
  queue.shift();
  if (work && !isDone) queue.push(work);
  if (queue.length > 0) setImmediate(runQueue);
}
