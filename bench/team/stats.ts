// Figures of many measurements.

export function percentiles(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0, 1);
  return { p50: at(0.5), p95: at(0.95), most: at(1), count: sorted.length };
}

/** The ratio of pairs, with the interval that contains it with a probability of 95 %, if there are dozens of pairs. */
export function ratioOf(pairs: readonly (readonly [number, number])[]) {
  const logs = pairs.map(([one, other]) => Math.log(one / other));
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  const error = 2 * Math.sqrt(variance / logs.length);
  return { ratio: toRatio(mean), from: toRatio(mean - error), to: toRatio(mean + error), pairs: logs.length };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function round(value: number, digits = 0): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

function toRatio(log: number): number {
  return round(Math.exp(log), 3);
}
