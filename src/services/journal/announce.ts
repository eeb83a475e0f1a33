// Notifies subscribers of checkpoint and skill resources when one is saved, here or by another process.
import type { ChangedNode } from '../../graph/change-feed.ts';
import { checkpointKind } from './checkpoint/checkpoint.ts';
import type { Desk } from './desk.ts';
import { dataOf, skillKind, uriOf } from './skill/skill.ts';

export function announceNodes(desk: Desk, nodes: readonly ChangedNode[]): void {
  for (const { id, kind, data } of nodes) {
    if (kind === checkpointKind) desk.updated('lore://checkpoint', `lore://checkpoint/${id}`);
    else if (kind === skillKind) announceSkill(desk, dataOf({ data }).name);
  }
}

export function announceSkill(desk: Desk, name: string): void {
  desk.updated(uriOf(name), `lore://skill/${name}`);
  // Skills are among the resources that are listed.
  desk.listChanged('resources');
}
