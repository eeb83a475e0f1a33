// Tools of a mount that wait for a person's approval, with the reason and the difference of each: for `lore mount review` and for
// the dashboard.
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { catalogOf } from '../catalog.ts';
import { listPeers } from '../gateway.ts';
import { identityOf } from '../mount/mount.ts';
import type { MountStore } from '../mount/store.ts';
import { describeQuarantine } from './approvals.ts';
import { hashDefinition, type UpstreamTool } from './definition.ts';
import { findPoison, type Suspicion } from './poison.ts';
import { type DiffLine, diffTool } from './review.ts';

export interface WaitingTool {
  readonly tool: UpstreamTool;
  readonly name: string;
  readonly state: string;
  readonly suspicions: readonly Suspicion[];
  readonly changes: readonly DiffLine[];
  /** Of the server and the definition that are shown, so that no other is approved. */
  readonly hash: string;
}

/** All of them, or those with the wanted names: ours, or the server's own. */
export function listWaiting(store: MountStore, mount: string, wanted?: readonly string[]): WaitingTool[] {
  const state = store.get(mount);
  const waiting = catalogOf(state).flatMap(({ provided: { name }, tool, trust }) =>
    trust === 'approved' ? [] : [{ name, tool, trust }],
  );
  const isNamed = (one: string, { name, tool }: (typeof waiting)[number]) => one === name || one === tool.name;
  const missing = wanted?.find((one) => !waiting.some((each) => isNamed(one, each)));
  if (missing !== undefined)
    throw new LoreError('not_found', `Cannot review tool "${missing}": it does not wait for a review`);
  const chosen = wanted ? waiting.filter((each) => wanted.some((one) => isNamed(one, each))) : waiting;
  const identity = state.listing ? identityOf(state.mount, state.listing) : '';
  const peers = chosen.length === 0 ? [] : listPeers(store, state.mount);
  return chosen.map(({ name, tool, trust }) => {
    const renamed = 'renamedFrom' in trust ? trust.renamedFrom : undefined;
    return {
      tool,
      name,
      state: describeQuarantine(trust),
      suspicions: findPoison(tool, mount, peers),
      changes: diffTool(state.approvals?.tools[renamed ?? tool.name]?.tool, tool),
      hash: hashHex(`${identity}\n${hashDefinition(tool)}`),
    };
  });
}
