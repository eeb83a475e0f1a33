// A remediation: a node of kind `remediation`. Its title is the error, its text begins with the solution, and its data
// contains the other parts and the error's signature.
import * as s from '../../../core/schema.ts';
import type { Node } from '../../../graph/node.ts';
import type { Signature } from './signature.ts';

export const remediationKind = 'remediation';

export interface RemediationData {
  /** The error as given, or its significant part. */
  error: string;
  /** Length of the solution in the text. */
  told: number;
  context?: string;
  rootCause?: string;
  files?: readonly string[];
  diff?: string;
  signature: Signature;
  /** How often this fix solved the error. */
  seen: number;
  helpful: number;
  unhelpful: number;
}

export function dataOf(node: Pick<Node, 'data'>): RemediationData {
  return node.data as unknown as RemediationData;
}

export function solutionOf(node: Pick<Node, 'data' | 'text'>): string {
  return node.text.slice(0, dataOf(node).told);
}

export const remediationShape = {
  id: s.string(),
  error: s.string(),
  solution: s.string(),
  root_cause: s.optional(s.string()),
  context: s.optional(s.string()),
  files: s.optional(s.list(s.string())),
  diff: s.optional(s.string()),
  created: s.string(),
  seen: s.integer(),
  helpful: s.integer(),
  unhelpful: s.integer(),
} as const;

const remediation = s.object(remediationShape);
type RemediationView = s.Infer<typeof remediation>;

export function viewRemediation(node: Node): RemediationView {
  const { signature, rootCause, context, files, diff, seen, helpful, unhelpful } = dataOf(node);
  return {
    id: node.id,
    error: signature.headline,
    solution: solutionOf(node),
    ...(rootCause !== undefined && { root_cause: rootCause }),
    ...(context !== undefined && { context }),
    ...(files && files.length > 0 && { files: [...files] }),
    ...(diff !== undefined && { diff }),
    created: new Date(node.createdAt).toISOString(),
    seen,
    helpful,
    unhelpful,
  };
}
