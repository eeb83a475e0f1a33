// Times of many repetitions, taken in turns with the rival so that a slow spell of the machine hits both.

export interface Timing {
  p50: number;
  p95: number;
}

type Contender = () => unknown | Promise<unknown>;

export async function time(work: Contender): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export interface Race {
  ours: Timing;
  bare: Timing | undefined;
}

/** Milliseconds of each over so many rounds. */
export async function race(rounds: number, ours: Contender, bare?: Contender): Promise<Race> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await time(ours));
    if (bare) times.bare.push(await time(bare));
  }
  return { ours: summarize(times.ours), bare: bare && summarize(times.bare) };
}

function summarize(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
  return { p50: at(0.5), p95: at(0.95) };
}
