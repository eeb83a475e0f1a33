// Fits the weights: the files that mended an issue should stand before all others of their repository (a softmax over the
// candidates of each issue, its logarithm at the gold files, a little decay), by Adam from the same start every time.
import type { Feature, Features } from '../../../src/services/repo/search/rank/features.ts';

export interface Measured {
  id: string;
  repo: string;
  gold: readonly string[];
  candidates: readonly { path: string; features: Features }[];
  /** How much it counts when weights are fitted (default 1). */
  weight?: number;
}

export type Weights = Partial<Record<Feature, number>>;

const steps = 150;
const rate = 0.1;
const decay = 0.03;
/** Scores are sums of shares from 0 to 1: a softmax needs them wider apart. */
const sharpness = 5;
/** Of each issue, those that stand first by the sum of all features; the rest only cost time. */
const mostCandidates = 60;

export function fitWeights(measured: readonly Measured[], names: readonly Feature[]): Weights {
  const issues = measured.flatMap((one) => prepare(one, names) ?? []);
  const weights = new Float64Array(names.length).fill(0.3);
  const total = issues.reduce((sum, { weight }) => sum + weight, 0);
  const mean = new Float64Array(names.length);
  const spread = new Float64Array(names.length);
  for (let step = 1; step <= steps; step++) {
    const gradient = new Float64Array(names.length);
    for (const issue of issues) addGradient(gradient, weights, issue);
    for (const at of names.keys()) {
      const slope = (gradient[at] as number) / total + decay * (weights[at] as number);
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * slope;
      spread[at] = 0.999 * (spread[at] as number) + 0.001 * slope * slope;
      const size = Math.sqrt((spread[at] as number) / (1 - 0.999 ** step)) + 1e-8;
      weights[at] = (weights[at] as number) - (rate * ((mean[at] as number) / (1 - 0.9 ** step))) / size;
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, Math.round((weights[at] as number) * 100) / 100]));
}

interface Prepared {
  weight: number;
  rows: Float64Array[];
  isGold: boolean[];
}

function prepare({ gold, candidates, weight = 1 }: Measured, names: readonly Feature[]): Prepared | undefined {
  const sumOf = (features: Features) => Object.values(features).reduce((sum, value) => sum + value, 0);
  const first = [...candidates].sort((a, b) => sumOf(b.features) - sumOf(a.features));
  const kept = first.filter(({ path }, at) => at < mostCandidates || gold.includes(path));
  const isGold = kept.map(({ path }) => gold.includes(path));
  if (!isGold.includes(true)) return undefined;
  return { weight, isGold, rows: kept.map(({ features }) => Float64Array.from(names, (name) => features[name])) };
}

function addGradient(gradient: Float64Array, weights: Float64Array, { weight, rows, isGold }: Prepared): void {
  const scores = rows.map(
    (row) => sharpness * row.reduce((sum, value, at) => sum + value * (weights[at] as number), 0),
  );
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const golds = isGold.filter(Boolean).length;
  for (const [index, row] of rows.entries()) {
    const error = weight * ((shares[index] as number) / all - (isGold[index] ? 1 / golds : 0));
    for (const at of gradient.keys()) {
      gradient[at] = (gradient[at] as number) + sharpness * error * (row[at] as number);
    }
  }
}

export function orderBy({ candidates }: Measured, weights: Weights): string[] {
  const scoreOf = (features: Features) =>
    (Object.entries(weights) as [Feature, number][]).reduce((sum, [name, weight]) => sum + weight * features[name], 0);
  return candidates
    .map(({ path, features }) => ({ path, score: scoreOf(features) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}
