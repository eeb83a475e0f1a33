// Approvals: what a person approved of a server. A tool whose definition differs from its approval, that has none, or that was removed and
// added again, is in quarantine until a person reviews it. Without readable approvals, all tools are.

import { hashDefinition, type UpstreamTool } from './definition.ts';
import { findPoison, type PeerTool } from './poison.ts';
import { findRename } from './rename.ts';

export interface Approvals {
  /** The command or address, and the name that the server gives itself. */
  readonly identity: string;
  readonly tools: { readonly [name: string]: Approval };
}

export interface Approval {
  readonly hash: string;
  /** As it was approved, for the review of a change. */
  readonly tool: UpstreamTool;
  /** The server no longer had it at some time: it needs another approval if it comes back. */
  readonly isRemoved?: boolean;
}

export type Quarantine =
  | { readonly reason: 'changed' | 'added again' | 'suspicious' }
  | { readonly reason: 'new'; readonly renamedFrom?: string }
  | { readonly reason: 'another server' | 'another package' | 'unreadable approvals' };

export type TrustState = 'approved' | Quarantine;

/** By tool. `approvals` is undefined if they cannot be read. */
export function judgeTools(
  tools: readonly UpstreamTool[],
  approvals: Approvals | undefined,
  identity: string,
): ReadonlyMap<string, TrustState> {
  const judge = (tool: UpstreamTool): TrustState => {
    if (!approvals) return { reason: 'unreadable approvals' };
    if (approvals.identity !== identity)
      return { reason: isUpdate(approvals.identity, identity) ? 'another package' : 'another server' };
    const approval = Object.hasOwn(approvals.tools, tool.name) ? approvals.tools[tool.name] : undefined;
    if (!approval) {
      const present = new Set(tools.map(({ name }) => name));
      const gone = Object.values(approvals.tools).filter(({ tool: { name } }) => !present.has(name));
      const renamedFrom = findRename(
        tool,
        gone.map((one) => one.tool),
      );
      return { reason: 'new', ...(renamedFrom !== undefined && { renamedFrom }) };
    }
    if (approval.isRemoved) return { reason: 'added again' };
    return approval.hash === hashDefinition(tool) ? 'approved' : { reason: 'changed' };
  };
  return new Map(tools.map((tool) => [tool.name, judge(tool)]));
}

/** Whether two identities are of the same server, except for its package. */
function isUpdate(...identities: readonly [approved: string, now: string]): boolean {
  try {
    const [approved, now] = identities.map((text) => JSON.stringify(JSON.parse(text).slice(0, 2)));
    return approved === now;
  } catch {
    return false;
  }
}

/** Approvals of a server that a person has just mounted: everything that shows no sign of an attack. */
export function approveFirst(
  tools: readonly UpstreamTool[],
  identity: string,
  server: string,
  peers: readonly PeerTool[],
): Approvals {
  const clean = tools.filter((tool) => findPoison(tool, server, peers).length === 0);
  return approveTools({ identity, tools: {} }, clean, identity);
}

/** With these tools approved as they are. */
export function approveTools(approvals: Approvals, tools: readonly UpstreamTool[], identity: string): Approvals {
  const approved = tools.map((tool): [string, Approval] => [tool.name, { hash: hashDefinition(tool), tool }]);
  return { identity, tools: { ...approvals.tools, ...Object.fromEntries(approved) } };
}

/** Notes the tools that the server no longer has. The same object if there are none. */
export function markRemoved(approvals: Approvals, tools: readonly UpstreamTool[]): Approvals {
  const present = new Set(tools.map(({ name }) => name));
  const gone = Object.entries(approvals.tools).filter(([name, { isRemoved }]) => !present.has(name) && !isRemoved);
  if (gone.length === 0) return approvals;
  const marked = gone.map(([name, approval]): [string, Approval] => [name, { ...approval, isRemoved: true }]);
  return { ...approvals, tools: { ...approvals.tools, ...Object.fromEntries(marked) } };
}

const notes: Record<Quarantine['reason'], string> = {
  changed: 'changed since it was approved',
  'added again': 'removed and added again since it was approved',
  suspicious: 'not approved: its description looks like an attack',
  new: 'new since the server was approved',
  'another package': 'not approved: the package of its server has changed',
  'another server': 'not approved: another server answers under this name',
  'unreadable approvals': 'not approved: the record of approvals cannot be read',
};

export function describeQuarantine(state: Quarantine): string {
  const renamed = state.reason === 'new' && state.renamedFrom !== undefined;
  return renamed
    ? `new since the server was approved; it resembles "${state.renamedFrom}", which is gone`
    : notes[state.reason];
}
