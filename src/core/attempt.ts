// Going on with a value that may or may not be there yet. What is there is used at once: a promise for every layer of a
// call that never waits would cost more than the call.

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
