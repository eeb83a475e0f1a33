// Work that is requested more often than it has to run, such as a look at a database: the first request runs it at once, later
// ones together, when it has ended and some time has passed since it began.

export interface Coalesced {
  request(): void;
  /** Runs the requested work now. Resolves when no work is running. */
  flush(): Promise<void>;
  /** Drops requests whose work has not begun. */
  cancel(): void;
}

/** A failure of the work is repaired by the next request. */
export function coalesce(work: () => Promise<void>, apartMs: number): Coalesced {
  let begunAt = Number.NEGATIVE_INFINITY;
  let isRequested = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    begunAt = performance.now();
    timer = undefined;
    isRequested = false;
    running = work()
      .catch(() => {})
      .finally(() => {
        running = undefined;
        if (isRequested) plan();
      });
  }

  function plan(): void {
    const waitMs = begunAt + apartMs - performance.now();
    if (waitMs <= 0) begin();
    else timer = setTimeout(begin, waitMs).unref();
  }

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
    isRequested = false;
  }

  return {
    request() {
      if (isRequested) return;
      isRequested = true;
      if (!running) plan();
    },
    async flush() {
      await running;
      if (isRequested) {
        cancel();
        begin();
      }
      await running;
    },
    cancel,
  };
}
