// Finds older memories that a new statement may repeat or contradict, by their words, in any language. They are only
// suggestions: the caller decides whether one supersedes another.
import { exactHashOf, hashOf } from '../../graph/create-node.ts';
import { foldText } from '../../graph/duplicate/fold.ts';
import type { NewEdge } from '../../graph/graph.ts';
import { mayDisagree, type Node } from '../../graph/node.ts';
import type { Scope } from '../../graph/project/scope.ts';
import type { Relation } from './kinds.ts';
import { createRelater } from './text/relation.ts';

export interface Similar {
  node: Node;
  relation: Relation;
}

export interface Statement {
  text: string;
  context: string;
}

const reach = 8;
const mostSuggested = 3;

/** The valid memory with the same words. */
export async function findSame({ opened, projects }: Scope, { text, context }: Statement): Promise<Node | undefined> {
  const hashes = [hashOf('memory', context, text), exactHashOf('memory', context, text)];
  return opened.graph.getByHash(projects, hashes);
}

/** The most similar first, duplicates before contradictions; fewer for a turn of a conversation. */
export async function findSimilar(
  { opened, projects }: Scope,
  { text, context }: Statement,
  isTalk: boolean,
): Promise<Similar[]> {
  const query = text.slice(0, 1_000);
  const found = await opened.graph.find({
    query,
    projects,
    kinds: ['memory'],
    limit: reach,
    by: 'words',
  });
  const relate = createRelater(text, isTalk);
  const folded = foldText(context);
  return (
    found
      // "It listens on 8443" has another subject in another context.
      .filter(({ node }) => foldText(node.title) === folded)
      .flatMap(({ node }) => {
        const related = relate(node.text);
        return related ? [{ node, ...related }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, mostSuggested)
      .map(({ node, relation }) => ({ node, relation }))
  );
}

/**
 * From the later statement to the earlier one, whichever was stored first. Without a time it is made now, after all
 * others, even those dated by a clock ahead of this one.
 */
export function linkDisagreeing(id: string, statedAt: number | undefined, similar: readonly Similar[]): NewEdge[] {
  return similar
    .filter(({ relation }) => relation === 'may_disagree')
    .map(({ node }) =>
      statedAt !== undefined && node.validFrom > statedAt
        ? { from: node.id, kind: mayDisagree, to: id }
        : { from: id, kind: mayDisagree, to: node.id },
    );
}
