// Decides who may call what. A permission names a tool, a service or a group of services; the most specific one applies. Only
// a person sets them (settings file, command line, dashboard): no tool that a client can call changes them.
import type { Caller } from '../call.ts';
import { LoreError } from '../error.ts';
import { type Effect, scopeOfEffect, type Tool } from '../tool.ts';

export const permissionLevels = ['off', 'read', 'write'] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

/** The permission for projects other than the caller's own, and its default. */
export const projectsPermission = 'projects';
export const projectsDefault: PermissionLevel = 'read';

/** In the details of a refusal that a token with this scope would avoid. */
export const missingScope = 'missingScope';

export interface Policy {
  /** Refuses every tool that changes data, whatever the permissions are. */
  readonly readOnly: boolean;
  /** By tool, service or group; otherwise the tool's default applies. */
  readonly permissions: { readonly [name: string]: PermissionLevel };
  /** By client: the tools, services or groups in its list, or "core". This hides a tool from lists and forbids nothing. */
  readonly shown?: { readonly [client: string]: readonly string[] };
}

export const neededLevel: Record<Effect, PermissionLevel> = { read: 'read', write: 'write', destroy: 'write' };

/** In a profile, it stands for the tools that are marked so. */
export const coreProfile = 'core';

type Permitted = Pick<Tool, 'name' | 'effect' | 'scope' | 'group' | 'allowed' | 'core'>;

/** Why this caller may not call the tool, or do something else (`action`) that its permission covers; undefined if it may. */
export function findRefusal(
  policy: Policy,
  tool: Permitted,
  serviceId: string,
  caller: Caller,
  action = `call "${tool.name}"`,
): LoreError | undefined {
  if (policy.readOnly && tool.effect !== 'read') {
    return new LoreError('forbidden', `Cannot ${action}: the server is read-only`, {
      hint: 'A person can turn off the setting read_only.',
    });
  }
  const level = levelOf(policy, tool, serviceId);
  const needed = neededLevel[tool.effect];
  if (permissionLevels.indexOf(level) < permissionLevels.indexOf(needed)) {
    const whose = action === `call "${tool.name}"` ? 'its permission' : `the permission of "${tool.name}"`;
    return new LoreError('forbidden', `Cannot ${action}: ${whose} is "${level}"`, {
      hint: `A person can allow it: ${commandToAllow(tool, serviceId)}`,
    });
  }
  if (tool.scope === 'page' && caller.showsPages) return undefined;
  const scope = tool.scope === 'page' ? 'person' : (tool.scope ?? scopeOfEffect[tool.effect]);
  if (!caller.scopes.includes(scope)) {
    const hint = scope === 'person' ? { hint: 'Only a person at a terminal can do this.' } : {};
    // The client can ask for a token with more.
    const further = caller.identity ? { details: { [missingScope]: scope } } : hint;
    return new LoreError('forbidden', `Cannot ${action}: this caller lacks the scope "${scope}"`, further);
  }
  return undefined;
}

export function levelOf({ permissions }: Policy, tool: Permitted, serviceId: string): PermissionLevel {
  const name = namesOf(tool, serviceId).find((each) => Object.hasOwn(permissions, each));
  return name === undefined ? (tool.allowed ?? 'write') : (permissions[name] as PermissionLevel);
}

/** Off only by default: nobody has decided about it yet. */
export function isUndecided({ permissions }: Policy, tool: Permitted, serviceId: string): boolean {
  return tool.allowed === 'off' && !namesOf(tool, serviceId).some((name) => Object.hasOwn(permissions, name));
}

/** The names of a tool in settings, the most specific first. */
function namesOf({ name, group }: Permitted, serviceId: string): string[] {
  return group === undefined ? [name, serviceId] : [name, serviceId, group];
}

/** The profile of a client by its name, or the one for all others; undefined if every tool is shown. */
export function profileOf({ shown = {} }: Policy, client: string | undefined): string | undefined {
  const name = Object.keys(shown).find((key) => key.toLowerCase() === client?.toLowerCase());
  return name ?? (Object.hasOwn(shown, '*') ? '*' : undefined);
}

export function isShown(
  { shown = {} }: Policy,
  profile: string | undefined,
  tool: Permitted,
  serviceId: string,
): boolean {
  const names = profile === undefined ? undefined : shown[profile];
  // A page's tools cost a model nothing.
  if (!names || tool.scope === 'page' || (tool.core && names.includes(coreProfile))) return true;
  return namesOf(tool, serviceId).some((name) => names.includes(name));
}

/** Hidden from some client, which can find it with a search. */
export function isHidden(policy: Policy, tool: Permitted, serviceId: string): boolean {
  return Object.keys(policy.shown ?? {}).some((profile) => !isShown(policy, profile, tool, serviceId));
}

/** Reading is allowed to a service of a group, changes to one tool. */
export function commandToAllow({ name, group, effect }: Permitted, serviceId: string): string {
  const reading = group === undefined ? name : serviceId;
  return effect === 'read' ? `lore allow ${reading}` : `lore allow ${name} --level ${neededLevel[effect]}`;
}
