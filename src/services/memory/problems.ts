// Finds problems of a project's memories: expired, outdated, duplicate, citing deleted code, never recalled. One pass over
// all of them, which `stats` reports and `cleanup` repairs.
import { scanNodes } from '../../graph/census.ts';
import { compareTexts } from '../../graph/duplicate/duplicate.ts';
import { stripLeadIn } from '../../graph/duplicate/lead-in.ts';
import { isCurrent, type Node } from '../../graph/node.ts';
import type { Scope } from '../../graph/project/scope.ts';
import { findCitations } from './cite/citation.ts';
import { stateOf, withoutMoved } from './cite/citation-state.ts';
import { type KnowledgeType, knowledgeTypes, type MemoryKind, memoryKinds } from './kinds.ts';
import { dataOf } from './memory.ts';
import { isFaded } from './outdated.ts';

export interface MemoryProblems {
  counts: {
    memories: number;
    kinds: Record<MemoryKind, number>;
    knowledge: Record<KnowledgeType, number>;
    superseded: number;
    forgotten: number;
    never_recalled: number;
    secrets_refused: number;
  };
  expired: Node[];
  /** Short-lived memories that are outdated; they are still recalled. */
  passed: Node[];
  /** All duplicates except the best one of each group. */
  duplicates: Node[];
  /** Memories that cite deleted code. */
  stale: Node[];
}

/** Maximum number of citing memories that are checked. */
const maxChecked = 1_000;

export async function findProblems({ opened, project, projects }: Scope): Promise<MemoryProblems> {
  const now = opened.graph.now();
  const found: MemoryProblems = {
    counts: {
      memories: 0,
      kinds: countFrom(memoryKinds),
      knowledge: countFrom(knowledgeTypes),
      superseded: 0,
      forgotten: 0,
      never_recalled: 0,
      secrets_refused: 0,
    },
    expired: [],
    passed: [],
    duplicates: [],
    stale: [],
  };
  const alike = new Map<string, Node[]>();
  const citing: Node[] = [];
  for await (const node of scanNodes(opened, projects, 'memory')) {
    const { kind, knowledge, redacted = 0 } = dataOf(node);
    found.counts.secrets_refused += redacted;
    if (node.forgottenAt !== undefined) found.counts.forgotten++;
    else if (node.supersededBy !== undefined) found.counts.superseded++;
    else if (!isCurrent(node, now)) found.expired.push(node);
    else {
      if (isFaded(node, now)) found.passed.push(node);
      found.counts.memories++;
      found.counts.kinds[kind]++;
      found.counts.knowledge[knowledge]++;
      if (node.accessedAt === node.createdAt) found.counts.never_recalled++;
      const key = keyOf(node.text);
      alike.set(key, [...(alike.get(key) ?? []), node]);
      if (citing.length < maxChecked && findCitations(node.text).length > 0) citing.push(node);
    }
  }
  for (const group of alike.values()) found.duplicates.push(...findRepeated(group));
  const gone: Node[] = [];
  for (const node of citing) if ((await stateOf(node, project.root)) === 'gone') gone.push(node);
  found.stale = await withoutMoved(gone, project.root);
  return found;
}

function countFrom<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}

/** Equal for texts that may be duplicates. */
function keyOf(text: string): string {
  const words =
    stripLeadIn(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].sort().join(' ');
}

function findRepeated(group: readonly Node[]): Node[] {
  const [best, ...rest] = [...group].sort((a, b) => b.importance - a.importance || b.accessedAt - a.accessedAt);
  return best ? rest.filter((node) => compareTexts(stripLeadIn(best.text), stripLeadIn(node.text)).same) : [];
}
