// Continues with a value or a promise of one. Values are used at once, because a promise for every layer of a call that never
// waits would cost more than the call.

export type Soon<T> = T | Promise<T>;

export function attempt<T, R>(work: () => Soon<T>, done: (value: T) => R, failed: (error: unknown) => R): Soon<R> {
  let value: Soon<T>;
  try {
    value = work();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(done, failed) : done(value);
}
