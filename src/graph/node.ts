// The elements of the graph: nodes of every kind, and typed edges between them.

import type { NodeLevel } from './share/level.ts';

export interface Node {
  id: string;
  project: string;
  /** memory, checkpoint, remediation, skill, document, file, symbol, commit, entity … */
  kind: string;
  title: string;
  text: string;
  data: { readonly [key: string]: unknown };
  /** From 0 to 1. */
  importance: number;
  /** From 0 to 1. */
  confidence: number;
  /** Origin: a client, a file, a person. */
  source: string;
  createdAt: number;
  updatedAt: number;
  accessedAt: number;
  validFrom: number;
  /** Not recalled from this time on. */
  validTo: number | undefined;
  /** The node that superseded it. */
  supersededBy: string | undefined;
  /** When it was forgotten; it can be restored. */
  forgottenAt: number | undefined;
  /** Hash of kind, title and text. */
  hash: string;
  /** How far it may travel. */
  level: NodeLevel;
}

/** End of a page of a list. */
export type NodePosition = Pick<Node, 'createdAt' | 'id'>;

export interface NewNode {
  project: string;
  kind: string;
  title?: string;
  text: string;
  data?: { readonly [key: string]: unknown };
  importance?: number;
  confidence?: number;
  source?: string;
  validFrom?: number;
  validTo?: number;
  /** The id of a restored or imported node; by default a new one is generated. */
  id?: string;
}

export interface Edge {
  from: string;
  kind: string;
  to: string;
  project: string;
  weight: number;
  data: { readonly [key: string]: unknown };
  createdAt: number;
}

/** The kind of an edge from a memory to an older one that it may contradict. */
export const mayDisagree = 'may_disagree';

export interface NodeRow {
  id: string;
  project: string;
  kind: string;
  title: string;
  text: string;
  data: string;
  importance: number;
  confidence: number;
  source: string;
  created_at: number;
  updated_at: number;
  accessed_at: number;
  valid_from: number;
  valid_to: number | null;
  superseded_by: string | null;
  forgotten_at: number | null;
  hash: string;
  level: NodeLevel;
}

export function readNode(row: NodeRow): Node {
  return {
    id: row.id,
    project: row.project,
    kind: row.kind,
    title: row.title,
    text: row.text,
    data: JSON.parse(row.data),
    importance: row.importance,
    confidence: row.confidence,
    source: row.source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    accessedAt: row.accessed_at,
    validFrom: row.valid_from,
    validTo: row.valid_to ?? undefined,
    supersededBy: row.superseded_by ?? undefined,
    forgottenAt: row.forgotten_at ?? undefined,
    hash: row.hash,
    level: row.level,
  };
}

type Validity = Pick<Node, 'forgottenAt' | 'supersededBy' | 'validFrom' | 'validTo'>;

/**
 * Whether a node is valid now. Only an expiry is compared with the clock: nodes cannot be stored for later, and the clock
 * that wrote the other times may have been ahead of this one.
 */
export function isCurrent({ forgottenAt, supersededBy, validTo }: Omit<Validity, 'validFrom'>, now: number): boolean {
  return forgottenAt === undefined && supersededBy === undefined && (validTo === undefined || validTo > now);
}

/** Whether a node was valid at a given time, by the recorded times. */
export function wasValid({ forgottenAt, validFrom, validTo }: Validity, at: number): boolean {
  return forgottenAt === undefined && validFrom <= at && (validTo === undefined || validTo > at);
}
