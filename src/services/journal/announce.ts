// Notifies subscribers of checkpoint and skill resources when one is saved, here or by another process.
import type { ChangedNode } from '../../graph/change-feed.ts';
import { checkpointKind } from './checkpoint/checkpoint.ts';
import type { JournalContext } from './context.ts';
import { dataOf, skillKind, uriOf } from './skill/skill.ts';

export function announceNodes(context: JournalContext, nodes: readonly ChangedNode[]): void {
  for (const { id, kind, data } of nodes) {
    if (kind === checkpointKind) context.updated('lore://checkpoint', `lore://checkpoint/${id}`);
    else if (kind === skillKind) announceSkill(context, dataOf({ data }).name);
  }
}

export function announceSkill(context: JournalContext, name: string): void {
  context.updated(uriOf(name), `lore://skill/${name}`);
  // Skills are among the resources that are listed.
  context.listChanged('resources');
}
