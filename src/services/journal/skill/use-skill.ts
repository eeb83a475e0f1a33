// Counting that a skill was read or used, and what that does to its rank: it raises, a little, and never hides.
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

/** Where it cannot be written down, the skill is read all the same. */
export async function noteRead(scope: Scope, node: Node): Promise<void> {
  await countSkill(scope, node, 'read').catch(() => {});
}

const most = { use: 0.1, success: 0.1 };
/** So many uses are as good as any more. */
const enoughUses = 32;

/** To multiply a score with: 1 for what was never used. */
export function weighUses({ uses, succeeded, failed }: Uses): number {
  const used = Math.min(1, Math.log2(1 + uses) / Math.log2(1 + enoughUses));
  // One success tells less than ten; as many failures tell nothing for it.
  const success = Math.max(0, succeeded - failed) / (succeeded + failed + 2);
  return 1 + most.use * used + most.success * success;
}
