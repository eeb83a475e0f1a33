// Sharing as an act of a person: a memory is given a level, what would leave can be read beforehand, and it can be taken back.
import { LoreError } from '../../core/error.ts';
import { sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { createChangeId } from '../change-id.ts';
import { isCurrent, type Node } from '../node.ts';
import type { Scope } from '../project/scope.ts';
import { changeNode } from '../statement.ts';
import { groupOps, writeBatch } from './batch.ts';
import { captureChanges, captureIn, type Sharing } from './capture-log.ts';
import { findRefusal } from './export.ts';
import type { SharedLevel } from './level.ts';
import { readDevice, retractPurged } from './log.ts';

export async function openSharing(
  { opened, project, projects }: Scope,
  level: SharedLevel,
  by: string,
): Promise<Sharing> {
  const dev = await readDevice(opened.store);
  return { project: project.id, level, projects, root: project.root, dev, by };
}

/** Throws an error if the memory must not be shared at this level. */
export function checkShare(scope: Scope, node: Node, level: SharedLevel): void {
  const { opened, projects, project } = scope;
  const reason = !projects.includes(node.project)
    ? 'it is about the user, not about the project'
    : !isCurrent(node, opened.graph.now())
      ? 'it is forgotten, superseded or expired'
      : node.level === 'team' && level === 'mine'
        ? 'it is shared with the team already'
        : findRefusal(node, level, project);
  if (reason === undefined) return;
  throw new LoreError('invalid_input', `Cannot share "${node.id}": ${reason}`, {
    hint: 'Only memories about the project are shared, without secrets and personal paths. Edit it, then share it.',
  });
}

/** Exactly the text that the next sync would send for it; signing and encrypting add to it. */
export async function previewShare(scope: Scope, node: Node, sharing: Sharing): Promise<string> {
  checkShare(scope, node, sharing.level);
  if (node.level === sharing.level) return '';
  const { ops } = await captureChanges(scope.opened, sharing, [node.id], { dryRun: true });
  return groupOps(sharing.level, ops).map(writeBatch).join('');
}

export async function shareMemory(scope: Scope, node: Node, sharing: Sharing): Promise<void> {
  checkShare(scope, node, sharing.level);
  const work = async (tx: Transaction) => {
    if (node.level !== sharing.level) await setLevel(tx, scope, node, sharing.level);
    await captureIn(tx, sharing, [node.id]);
  };
  await scope.opened.store.tx(work, { taken: async () => false });
}

/** It stays here, as a private memory; the next sync removes it everywhere else. */
export async function unshareMemory(scope: Scope, node: Node): Promise<void> {
  const { shared } = node.data as { shared?: { by: string } };
  if (shared) {
    throw new LoreError('invalid_input', `Cannot take "${node.id}" back: ${shared.by || 'another device'} shared it`, {
      hint: `To hide it for everybody: lore forget ${node.id}. To remove it from the remote: lore sync purge ${node.id}`,
    });
  }
  await scope.opened.store.tx((tx) => setLevel(tx, scope, node, 'private'), { taken: async () => false });
}

async function setLevel(tx: Transaction, { opened, actor }: Scope, node: Node, level: Node['level']): Promise<void> {
  const at = opened.graph.now();
  // The time of the change stays: it dates the operation, and a preview shows the same.
  const change = { id: createChangeId(at), actor, action: 'update' as const, at };
  await changeNode(tx, node.id, sql`level = ${level}`, change);
  await tx.run(sql`update node set updated_at = ${node.updatedAt} where id = ${node.id}`);
  // From the level that it had before.
  if (node.level !== 'private') await retractPurged(tx, [node.id], at);
}
