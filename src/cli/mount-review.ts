// lore mount review: shows the tools that wait for an approval, what is different about each, and approves them.
import type { Invocation } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { showHidden } from '../core/text/fence.ts';
import { catalogOf, type MountedTool } from '../services/gateway/catalog.ts';
import { type Gateway, listPeers } from '../services/gateway/gateway.ts';
import { describeQuarantine } from '../services/gateway/trust/approvals.ts';
import { findPoison } from '../services/gateway/trust/poison.ts';
import { type DiffLine, diffTool } from '../services/gateway/trust/review.ts';
import { confirm } from './confirm.ts';

export async function reviewMount(
  gateway: Gateway,
  name: string,
  wanted: readonly string[],
  { options, output }: Invocation,
): Promise<number> {
  const state = gateway.store.get(name);
  const waiting = catalogOf(state).filter(({ trust }) => trust !== 'approved');
  const chosen =
    wanted.length === 0
      ? waiting
      : waiting.filter(({ provided, tool }) => wanted.some((one) => one === provided.name || one === tool.name));
  const missing = wanted.find(
    (one) => !chosen.some(({ provided, tool }) => one === provided.name || one === tool.name),
  );
  if (missing !== undefined)
    throw new LoreError('not_found', `Cannot review tool "${missing}": it does not wait for a review`);
  const peers = listPeers(gateway.store, state.mount);
  const entries = chosen.map((mounted) => {
    const { provided, tool, trust } = mounted;
    const renamed = typeof trust === 'object' && 'renamedFrom' in trust ? trust.renamedFrom : undefined;
    const before = state.approvals?.tools[renamed ?? tool.name]?.tool;
    return {
      mounted,
      name: provided.name,
      state: trust === 'approved' ? '' : describeQuarantine(trust),
      suspicions: findPoison(tool, name, peers),
      changes: diffTool(before, tool),
    };
  });
  if (output.json) output.printJson(entries.map(({ mounted: _, ...entry }) => entry));
  else if (entries.length === 0) output.print(`All tools of ${name} are approved.`);
  if (entries.length === 0) return 0;
  if (!output.json) {
    for (const { name: tool, state: why, suspicions, changes } of entries) {
      output.print(`${output.bold(tool)} · ${why}`);
      for (const { kind, text } of suspicions) output.print(`  ! ${kind}: ${text}`);
      output.print(`${changes.map((line) => paint(line, output)).join('\n')}\n`);
    }
  }
  if (output.json && options.approve !== true) return 0;
  const count = entries.length === 1 ? 'this tool' : `these ${entries.length} tools`;
  if (options.approve !== true && !(await confirm(`Approve ${count} of ${name}?`))) return 0;
  await gateway.approve(
    name,
    entries.map(({ mounted }) => (mounted as MountedTool).tool),
  );
  if (!output.json) output.print(`Approved ${count} of ${showHidden(name)}.`);
  return 0;
}

function paint({ sign, text }: DiffLine, { dim, bold }: Invocation['output']): string {
  const line = `${sign} ${text}`;
  return sign === ' ' ? dim(line) : sign === '!' ? bold(line) : line;
}
