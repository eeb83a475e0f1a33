// Finds remediations for an error: by signature, code and words, scored by `score.ts` and ordered with their votes. Votes
// change the order only.
import { redactSoon } from '../../../core/secret/redact.ts';
import type { Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { readEnds } from './lines.ts';
import { dataOf, type RemediationData, remediationKind } from './remediation.ts';
import { compareSignatures, matchesFrom } from './score.ts';
import { type Signature, signatureVersion, signError } from './signature.ts';

export interface Match {
  node: Node;
  /** From 0 to 1. */
  score: number;
  why: string;
}

/** Most candidates that are scored, by signature and by similar words. */
const judged = 40;
/** The most that votes change a score. */
const voteRange = 0.1;

export async function matchRemediations(scope: Scope, error: string, limit: number): Promise<Match[]> {
  return matchSignature(scope, await sign(error), limit);
}

/** Redacted as in the store: with secrets, two errors would differ. */
export async function sign(error: string): Promise<Signature> {
  return signError((await redactSoon(readEnds(error))).text);
}

export async function matchSignature({ opened, projects }: Scope, asked: Signature, limit: number): Promise<Match[]> {
  if (asked.failures.length === 0) return [];
  const scope = { projects, kinds: [remediationKind], limit: judged };
  const [same, alike] = await Promise.all([
    opened.graph.survey({ ...scope, query: tokensOf(asked).join(' '), by: 'words' }),
    opened.graph.survey({ ...scope, query: wordsOf(asked) }),
  ]);
  const seen = new Map([...same, ...alike].map((hit) => [hit.node.id, hit]));
  const matches = [...seen.values()]
    .map(({ node, cosine }) => ({
      id: node.id,
      data: dataOf(node),
      ...compareSignatures(asked, signatureOf(dataOf(node)), cosine),
    }))
    .filter(({ score }) => score >= matchesFrom)
    .map(({ id, data, score, why }) => ({ id, score: weighVotes(score, data), why: describeVotes(why, data) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
  const nodes = new Map((await opened.graph.getAll(matches.map(({ id }) => id))).map((node) => [node.id, node]));
  return matches.flatMap(({ id, score, why }) => {
    const node = nodes.get(id);
    return node ? [{ node, score, why }] : [];
  });
}

function signatureOf({ signature, error }: RemediationData): Signature {
  return signature.version === signatureVersion ? signature : signError(error);
}

/** Artificial words in the title, by which the index finds a signature. */
export function tokensOf({ failures }: Signature): string[] {
  return failures.map(({ hash }) => `err${hash}`);
}

/** The query for similar errors: codes and the words of the first failures. */
function wordsOf({ failures }: Signature): string {
  const first = failures.slice(0, 2);
  return [
    ...failures.flatMap(({ codes }) => codes.map(({ name }) => name)),
    ...first.flatMap(({ segments }) =>
      segments
        .flat()
        .filter(([, weight]) => weight >= 0.6)
        .map(([word]) => word),
    ),
  ].join(' ');
}

/** The share of positive votes, with one of each added. */
function weighVotes(score: number, { helpful, unhelpful }: RemediationData): number {
  const good = (helpful + 1) / (helpful + unhelpful + 2);
  return Math.min(1, Math.max(matchesFrom, score * (1 - voteRange / 2) + voteRange * (good - 0.5)));
}

function describeVotes(why: string, { helpful, unhelpful }: RemediationData): string {
  return helpful + unhelpful === 0 ? why : `${why}; helped ${helpful} of ${helpful + unhelpful}`;
}

const withSome = new WeakMap<OpenGraph, Set<string>>();

/** For an automatic lookup: returns at once if the project has no remediation. */
export async function offerFix(scope: Scope, error: string): Promise<Match[]> {
  const { opened, project, projects } = scope;
  const known = withSome.get(opened) ?? new Set<string>();
  withSome.set(opened, known);
  if (!known.has(project.id)) {
    // Checked every time until there is one, since another process may add it.
    if ((await opened.graph.recent(projects, [remediationKind], 1)).length === 0) return [];
    known.add(project.id);
  }
  return matchRemediations(scope, error, offered);
}

const offered = 2;
