// One after another, in the order of arrival: how one connection serves many asynchronous writers.

type Enqueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createQueue(): Enqueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}
