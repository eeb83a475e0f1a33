// Removes the derived data of deleted worktrees.
import { existsSync } from 'node:fs';
import { removeDerived } from '../../../graph/derived/derived.ts';
import { listDerived } from '../../../graph/derived/read.ts';
import { dropTree, listTrees } from '../../../graph/derived/tree.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { projectOf } from '../../../graph/project/project.ts';
import { listDecisions, listMembers } from '../../../graph/project/table.ts';

export async function removeGone(opened: OpenGraph, indexed: string): Promise<void> {
  const { store, graph } = opened;
  const project = projectOf(indexed);
  const members = listMembers(await listDecisions(store), project);
  for (const { tree, project: of, root } of await listTrees(store, members)) {
    // The files of a merged project are read again under the id of the whole.
    if (tree === indexed || (of === project && existsSync(root))) continue;
    const ids: string[] = [];
    for await (const { id } of listDerived(opened, tree)) ids.push(id);
    await removeDerived({ store, project: tree, model: '', now: graph.now() }, ids);
    await dropTree(store, tree);
  }
}
