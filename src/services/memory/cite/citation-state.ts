// Whether the code that a memory cites still says so.
import type { Node } from '../../../graph/node.ts';
import { dataOf } from '../memory.ts';
import { findCitations } from './citation.ts';
import { type CitationState, checkCitations, worstState } from './citation-check.ts';
import { readSnapshot } from './citation-snapshot.ts';

/** Undefined without citations that can be checked: memories about the user belong to no folder. */
export async function stateOf(node: Node, root: string): Promise<CitationState | undefined> {
  if (root === '') return undefined;
  const { cited } = dataOf(node);
  if (cited === undefined) return undefined;
  return worstState(await checkCitations(findCitations(node.text), root, readSnapshot(cited)));
}
