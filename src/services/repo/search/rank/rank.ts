// Orders files by a weighted sum of their features. The weights are fitted to issues of public repositories and the files that
// fixed them; bench/quality/localise describes how, and the value of each.
import { type Evidence, type Feature, type Features, measureFiles } from './features.ts';
import type { CodeQuestion } from './question.ts';
import { isSource, isTest } from './source.ts';
import { weights } from './weights.ts';

export interface RankedFile {
  /** Its place among the paths. */
  at: number;
  path: string;
  score: number;
}

/** Queries about the code rarely mean tests or other files, unless they say so. */
const besideCode = 0.35;
const besideTests = 0.6;

export function rankFiles(question: CodeQuestion, evidence: Evidence): RankedFile[] {
  const asksTests = ['test', 'spec', 'fixtur'].some((term) => question.titleTerms.has(term));
  const ranked: RankedFile[] = [];
  for (const [at, features] of measureFiles(question, evidence)) {
    const path = evidence.paths.all[at]?.path;
    if (path === undefined) continue;
    const less = (isSource(path) ? 0 : besideCode) + (isTest(path) && !asksTests ? besideTests : 0);
    // A file that is named explicitly keeps its score.
    ranked.push({ at, path, score: weigh(features) - (features.mentioned > 0.5 ? 0 : less) });
  }
  return ranked.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

export function weigh(features: Features): number {
  let score = 0;
  for (const name of Object.keys(weights) as Feature[]) score += weights[name] * features[name];
  return score;
}
