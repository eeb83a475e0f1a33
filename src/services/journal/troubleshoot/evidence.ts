// Collects evidence about an error from all sources at once. A failing source does not affect the others.
import { extractFiles } from '../../../graph/entity/entity.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { matchSignature, sign } from '../remediation/match.ts';
import { viewRemediation } from '../remediation/remediation.ts';
import { findCommits } from './commits.ts';
import { findLogLines } from './logs.ts';
import type { ErrorEvidence } from './troubleshoot.ts';

const most = { remediations: 3, memories: 5 };
/** Below this score a memory is unrelated to the error. */
const least = { coverage: 0.35, cosine: 0.5 };
/** Stack traces repeat files; the first are closest to the failure. */
const readLength = 20_000;

export async function gatherEvidence(scope: Scope, error: string, context: string): Promise<ErrorEvidence> {
  const { root } = scope.project;
  const signature = await sign(error);
  const { headline, failures } = signature;
  const named = extractFiles(`${error.slice(0, readLength)}\n${context}`);
  const words = [...new Set(failures.flatMap(({ codes, values }) => [...codes.map(({ name }) => name), ...values]))];
  const [remediations, memories, commits, log] = await Promise.all([
    matchSignature(scope, signature, most.remediations),
    findMemories(scope, `${headline}\n${context}`.trim()),
    root === '' ? [] : findCommits(root, named).catch(() => []),
    root === '' ? [] : findLogLines(root, { error, words }).catch(() => []),
  ]);
  return {
    headline,
    remediations: remediations.map(({ node, score, why }) => {
      const { id, error: known, solution, root_cause: cause } = viewRemediation(node);
      const rounded = Math.round(score * 1000) / 1000;
      return { id, error: known, solution, ...(cause !== undefined && { root_cause: cause }), score: rounded, why };
    }),
    memories,
    commits,
    log,
  };
}

async function findMemories({ opened, projects }: Scope, query: string): Promise<ErrorEvidence['memories']> {
  if (query === '') return [];
  const found = await opened.graph.find({ query, projects, kinds: ['memory'], limit: most.memories });
  return found
    .filter(({ coverage, cosine }) => coverage >= least.coverage || cosine >= least.cosine)
    .map(({ node: { id, text, createdAt } }) => ({ id, text, created: new Date(createdAt).toISOString() }));
}
