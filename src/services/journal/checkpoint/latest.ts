// Chooses the checkpoint to resume: the newest that was saved explicitly, while it is recent. A newer automatic one is
// mentioned, or chosen if there is no other.
import type { Scope } from '../../../graph/project/scope.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import { checkpointKind, isAutomatic } from './checkpoint.ts';

export interface Latest {
  checkpoint: Titled;
  /** An automatic checkpoint that is newer than the explicit one. */
  automatic?: Titled;
}

/** An explicit checkpoint takes precedence for this long. */
export const recentMs = 14 * 86_400_000;
const pageSize = 50;

export async function findLatest({ opened, projects }: Scope): Promise<Latest | undefined> {
  const now = opened.graph.now();
  const since = now - recentMs;
  let newest: Titled | undefined;
  for (let before: Titled | undefined; ; ) {
    const page = await listTitled(opened.store, {
      projects,
      kind: checkpointKind,
      limit: pageSize,
      now,
      before,
    });
    newest ??= page[0];
    if (!newest) return undefined;
    const deliberate = page.find((node) => node.createdAt > since && !isAutomatic(node));
    if (deliberate === newest) return { checkpoint: newest };
    if (deliberate) return { checkpoint: deliberate, automatic: newest };
    before = page.at(-1);
    if (page.length < pageSize || !before || before.createdAt <= since) return { checkpoint: newest };
  }
}
