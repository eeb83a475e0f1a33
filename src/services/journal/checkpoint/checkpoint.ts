// A checkpoint: a node with an agent's notes as its text and the state of the work as its data, and the view of it without
// the full text.
import * as s from '../../../core/schema.ts';
import type { Node } from '../../../graph/node.ts';
import type { FileMarks } from './files.ts';

export const checkpointKind = 'checkpoint';

export interface CheckpointData {
  name: string;
  summary: string;
  session?: string;
  branch?: string;
  commit?: string;
  /** The files it mentions, and their state. */
  files?: FileMarks;
  metadata?: { readonly [key: string]: unknown };
  /** Number of redacted secrets. */
  redacted?: number;
}

export function dataOf({ data }: Pick<Node, 'data'>): CheckpointData {
  return data as unknown as CheckpointData;
}

/** Saved by a hook, not by an agent or a person. */
export function isAutomatic(node: Pick<Node, 'data'>): boolean {
  return dataOf(node).metadata?.automatic === true;
}

export const checkpointShape = {
  id: s.string(),
  name: s.string(),
  summary: s.string(),
  created: s.string(),
  session: s.optional(s.string()),
  branch: s.optional(s.string()),
  commit: s.optional(s.string()),
  automatic: s.optional(s.boolean()),
} as const;

const checkpoint = s.object(checkpointShape);
export type CheckpointView = s.Infer<typeof checkpoint>;

export function viewCheckpoint(node: Pick<Node, 'id' | 'data' | 'createdAt'>): CheckpointView {
  const { name, summary, session, branch, commit } = dataOf(node);
  return {
    id: node.id,
    name,
    summary,
    created: new Date(node.createdAt).toISOString(),
    ...(session !== undefined && { session }),
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(isAutomatic(node) && { automatic: true }),
  };
}

/** On its first line, next to its id. */
export function labelCheckpoint({ name, created, branch, commit, automatic }: CheckpointView): string {
  const place = [branch, commit?.slice(0, 10)].filter((part) => part !== undefined).join(' at ');
  const facts = [name, created.slice(0, 16).replace('T', ' '), place, automatic ? 'saved automatically' : ''];
  return facts.filter((part) => part !== '').join(' · ');
}
