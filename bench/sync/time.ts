// Durations of steps.

export async function time<T>(work: () => Promise<T>): Promise<{ ms: number; cpu: number; value: T }> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - began, cpu: (user + system) / 1000, value };
}

export function summarise(times: readonly number[]): { median: number; worst: number } {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round);
  return { median: sorted[sorted.length >> 1] as number, worst: sorted.at(-1) as number };
}
