// The features of an issue's candidates, by the product's own code.
import { measureFiles } from '../../../src/services/repo/search/rank/features.ts';
import { readQuestion } from '../../../src/services/repo/search/rank/question.ts';
import type { Repository } from './corpus.ts';
import type { Measured } from './fit.ts';
import type { Instance } from './instances.ts';

/** Candidates of an issue that are kept; no weights bring up one from further down. */
const mostKept = 150;

export async function measureInstance(repository: Repository, instance: Instance): Promise<Measured> {
  const { id, repo, gold_files: gold, problem_statement: text, base_commit: commit } = instance;
  const corpus = await repository.open(commit);
  const question = readQuestion(text);
  const all = [...measureFiles(question, corpus.gather(question))].map(([at, features]) => ({
    path: corpus.paths.all[at]?.path ?? '',
    features,
  }));
  const sum = (features: Record<string, number>) => Object.values(features).reduce((total, value) => total + value, 0);
  const sorted = all.sort((a, b) => sum(b.features) - sum(a.features));
  return { id, repo, gold, candidates: sorted.slice(0, mostKept) };
}
