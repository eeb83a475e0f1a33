// The clock of a database server, without a query each time: the offset to the local clock is measured periodically.

/** Smaller differences are within the error of measurement. */
const toleranceMs = 50;
const measureEveryMs = 60_000;

/** `read` queries the server; its first error is thrown here. */
export async function followClock(read: () => Promise<number | undefined>): Promise<() => number> {
  let aheadMs = 0;
  let measuredAt = 0;
  /** Jumps when the machine's clock is set or the machine was suspended. */
  let machineStart = 0;

  async function measure(): Promise<void> {
    measuredAt = performance.now();
    machineStart = startOfMachineClock();
    const before = Date.now();
    const server = await read();
    const after = Date.now();
    const ahead = server === undefined ? 0 : server - (before + after) / 2;
    // A slow response says when the server read its clock only within its own time.
    if (Math.abs(ahead - aheadMs) > Math.max(toleranceMs, (after - before) / 2)) aheadMs = Math.round(ahead);
  }

  await measure();
  return () => {
    const hasJumped = Math.abs(startOfMachineClock() - machineStart) > toleranceMs;
    if (hasJumped || performance.now() - measuredAt > measureEveryMs) void measure().catch(() => {});
    return Date.now() + aheadMs;
  };
}

function startOfMachineClock(): number {
  return Date.now() - performance.now();
}
