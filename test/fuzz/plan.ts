// How much is tried, and how to try one case again: FUZZ_CASES for the number of cases in all, FUZZ_SEED for another run
// of them, FUZZ_CASE for a single one.

/** The gate runs a bounded part; 100,000 is the full run. */
const totalCases = Number(process.env.FUZZ_CASES ?? 10_000);
export const seed = Number(process.env.FUZZ_SEED ?? 20_260_728);

const only = process.env.FUZZ_CASE;

/** The numbers of the cases of one of several targets, each with the same share of the whole. */
export function planCases(share: number, target: number): number[] {
  if (only !== undefined) return [Number(only)];
  const count = Math.round(totalCases * share);
  return Array.from({ length: count }, (_, index) => target * count + index);
}

export function tellHowToRepeat(file: string, caseNumber: number): string {
  return `repeat with: FUZZ_SEED=${seed} FUZZ_CASE=${caseNumber} npx vitest run test/fuzz/${file}`;
}
