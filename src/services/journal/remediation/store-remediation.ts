// Stores a remediation: the same fix of the same error increases a count; another fix is a new remediation.
import { redactSoon } from '../../../core/secret/redact.ts';
import { amendNode } from '../../../graph/amend.ts';
import { compareTexts } from '../../../graph/duplicate/duplicate.ts';
import type { Node } from '../../../graph/node.ts';
import { ensureProject, nameNode, type Scope } from '../../../graph/project/scope.ts';
import { excerpt } from './excerpt.ts';
import { sign, tokensOf } from './match.ts';
import { dataOf, type RemediationData, remediationKind, solutionOf } from './remediation.ts';
import type { Signature } from './signature.ts';

export interface RemediationDraft {
  error: string;
  solution: string;
  context?: string | undefined;
  rootCause?: string | undefined;
  files?: readonly string[] | undefined;
  diff?: string | undefined;
}

export interface StoredRemediation {
  action: 'stored' | 'merged';
  node: Node;
  /** Other solutions of the same error. */
  beside: number;
}

/** Most solutions of one error that are compared. */
const compared = 50;
const maxFiles = 100;

export async function storeRemediation(scope: Scope, draft: RemediationDraft): Promise<StoredRemediation> {
  const { opened, project, actor } = scope;
  await ensureProject(scope);
  const signature = await sign(draft.error);
  const solution = (await redactSoon(draft.solution)).text;
  const id = nameNode('rem', project.id, hashOf(signature), fold(solution));
  const known = await findSame(scope, signature);
  const same = known.find((node) => node.id === id || isSameSolution(solutionOf(node), solution));
  if (same) return { action: 'merged', node: await merge(scope, same.id, draft), beside: known.length - 1 };
  try {
    const [node] = await opened.graph.put(
      [{ id, project: project.id, ...describe({ ...draft, solution }, signature) }],
      actor,
    );
    return { action: 'stored', node: node as Node, beside: known.length };
  } catch (error) {
    // Another process has just stored the same, or it was forgotten before.
    const there = await opened.graph.get(id);
    if (!there) throw error;
    if (there.forgottenAt !== undefined) await opened.graph.unforget(id, actor);
    return { action: 'merged', node: await merge(scope, id, draft), beside: known.length };
  }
}

/** Longer texts must be identical, because a close comparison takes long. */
const longestRead = 2_000;

function isSameSolution(a: string, b: string): boolean {
  if (Math.max(a.length, b.length) > longestRead) return fold(a) === fold(b);
  return compareTexts(a, b).same;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Remediations of the same error; without a signature, of the same words. */
async function findSame({ opened, projects }: Scope, signature: Signature): Promise<Node[]> {
  const [token] = tokensOf(signature);
  if (token === undefined) return [];
  const found = await opened.graph.find({
    query: token,
    projects,
    kinds: [remediationKind],
    limit: compared,
    by: 'words',
  });
  return found.map(({ node }) => node).filter((node) => hashOf(dataOf(node).signature) === hashOf(signature));
}

function hashOf({ failures, headline }: Signature): string {
  return failures[0]?.hash ?? headline;
}

/** The solution is already redacted, so that its length does not change. */
function describe(draft: RemediationDraft, signature: Signature) {
  const { solution, context, rootCause, files = [], diff } = draft;
  const data: RemediationData = {
    error: excerpt(draft.error),
    told: solution.length,
    ...(context && { context }),
    ...(rootCause && { rootCause }),
    ...(files.length > 0 && { files: [...new Set(files)] }),
    ...(diff && { diff }),
    signature,
    seen: 1,
    helpful: 0,
    unhelpful: 0,
  };
  const parts = [
    solution,
    rootCause && `Root cause: ${rootCause}`,
    context && `Context: ${context}`,
    files.length > 0 && `Files: ${files.join(', ')}`,
  ];
  const codes = signature.failures.flatMap((failure) => failure.codes.map(({ name }) => name));
  return {
    kind: remediationKind,
    title: [signature.headline, ...new Set(codes), ...tokensOf(signature)].join(' '),
    text: parts.filter(Boolean).join('\n\n'),
    data: { ...data },
  };
}

function merge({ opened, actor }: Scope, id: string, draft: RemediationDraft): Promise<Node> {
  return amendNode(opened, id, actor, (before) => {
    const data = dataOf(before);
    const files = [...new Set([...(data.files ?? []), ...(draft.files ?? [])])].slice(0, maxFiles);
    const next: RemediationData = {
      ...(draft.context && { context: draft.context }),
      ...(draft.rootCause && { rootCause: draft.rootCause }),
      ...(draft.diff && { diff: draft.diff }),
      ...data,
      ...(files.length > 0 && { files }),
      seen: data.seen + 1,
    };
    return { data: { ...next } };
  });
}
