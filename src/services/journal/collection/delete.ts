// collection_delete: removes a collection with its documents from lists and searches; it can be undone.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { JournalContext } from '../context.ts';
import { collectionName, findNamed, getCollection, unknownCollectionError } from './collection.ts';

export function createDeleteTool(context: JournalContext) {
  return defineTool({
    name: 'collection_delete',
    title: 'Delete a collection',
    description: 'Delete a collection and its documents. Call it with undo to restore them.',
    effect: 'destroy',
    examples: [
      ['lore collection delete handbook', 'with all its documents'],
      ['lore collection delete handbook --undo', 'restore it'],
    ],
    input: s.object({ collection_name: collectionName, undo: s.withDefault(s.boolean(), false) }),
    output: s.object({ collection_name: s.string(), deleted: s.boolean() }),
    async run({ collection_name: name, undo }, call) {
      const scope = await context.open(call);
      const { graph } = scope.opened;
      if (undo) await graph.unforget((await findDeleted(scope, name)).id, scope.actor);
      else await graph.forget((await getCollection(scope, name, 'delete')).id, scope.actor);
      return { collection_name: name, deleted: !undo };
    },
    render: ({ collection_name: name, deleted }) =>
      deleted ? `Deleted collection "${name}". Undo: collection_delete with undo.` : `Restored collection "${name}".`,
    show: ({ collection_name: name, deleted }) =>
      deleted
        ? `Deleted collection "${name}". Undo: lore collection delete "${name}" --undo`
        : `Restored collection "${name}".`,
  });
}

/** The collection that was deleted last. */
async function findDeleted(scope: Scope, name: string): Promise<Node> {
  const { current, last } = await findNamed(scope, name);
  if (!last) throw await unknownCollectionError(scope, name, 'bring back');
  if (!current) return last;
  throw new LoreError('conflict', `Cannot restore collection "${name}": a collection of this name exists`, {
    details: { path: 'arguments.collection_name', expected: 'the name of a deleted collection', received: name },
  });
}
