// Runs asynchronous writers one after another, in the order of arrival, on one connection.

type Enqueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createQueue(): Enqueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}
