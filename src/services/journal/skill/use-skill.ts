// Counts uses of a skill. Uses raise its rank a little and never hide it.
import { amendNode } from '../../../graph/amend.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { dataOf, nameId, type Uses, usesOf } from './skill.ts';

export async function countSkill(
  { opened, actor }: Scope,
  node: Node,
  how: 'read' | 'used' | 'succeeded' | 'failed',
): Promise<Uses> {
  const head = nameId(node.project, dataOf(node).name);
  const count = ({ data }: Node) => ({ data: { ...data, [how]: (Number(data[how]) || 0) + 1 } });
  return usesOf(await amendNode(opened, head, actor, count));
}

/** If the use cannot be recorded, the skill is still returned. */
export async function noteRead(scope: Scope, node: Node): Promise<void> {
  await countSkill(scope, node, 'read').catch(() => {});
}

const most = { use: 0.1, success: 0.1 };
/** More uses have no further effect. */
const enoughUses = 32;

/** Factor for the score: 1 for a skill that was never used. */
export function weighUses({ uses, succeeded, failed }: Uses): number {
  const used = Math.min(1, Math.log2(1 + uses) / Math.log2(1 + enoughUses));
  // One success weighs less than ten, and failures cancel successes.
  const success = Math.max(0, succeeded - failed) / (succeeded + failed + 2);
  return 1 + most.use * used + most.success * success;
}
