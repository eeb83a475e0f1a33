// Notifies subscribers of checkpoint and skill resources when one is saved, here or by another process.
import type { ChangedNode } from '../../graph/change-feed.ts';
import { checkpointKind } from './checkpoint/checkpoint.ts';
import type { JournalContext } from './context.ts';
import { dataOf, type SkillData, skillKind, uriOf } from './skill/skill.ts';

export function announceNodes(context: JournalContext, nodes: readonly ChangedNode[]): void {
  for (const { id, kind, data } of nodes) {
    if (kind === checkpointKind) context.updated('lore://checkpoint', `lore://checkpoint/${id}`);
    else if (kind === skillKind) announceSkill(context, dataOf({ data }));
  }
}

export function announceSkill(context: JournalContext, { name, files = [] }: Pick<SkillData, 'name' | 'files'>): void {
  context.updated(uriOf(name), `lore://skill/${name}`, ...files.map(({ path }) => uriOf(name, path)));
  // Skills are among the resources that are listed.
  context.listChanged('resources');
}
