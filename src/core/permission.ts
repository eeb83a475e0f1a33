// Who may call what. A permission names a tool or a whole service; the tool's own wins. Only a person sets these
// (settings file, command line): no tool can change them.
import type { Caller } from './call.ts';
import { LoreError } from './error.ts';
import { type Effect, scopeOfEffect, type Tool } from './tool.ts';

export const permissionLevels = ['off', 'read', 'write'] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

export interface Policy {
  /** Refuses every tool that changes something, whatever the permissions say. */
  readonly readOnly: boolean;
  /** By tool name or service id; 'write' where nothing is said. */
  readonly permissions: { readonly [toolOrService: string]: PermissionLevel };
}

const neededLevel: Record<Effect, PermissionLevel> = { read: 'read', write: 'write', destroy: 'write' };

/** Why this caller may not call the tool, or nothing. */
export function refuse(policy: Policy, tool: Tool, serviceId: string, caller: Caller): LoreError | undefined {
  const action = `Cannot call "${tool.name}"`;
  if (policy.readOnly && tool.effect !== 'read') {
    return new LoreError('forbidden', `${action}: the server is read-only`, {
      hint: 'A person can lift this with the setting read_only.',
    });
  }
  const level = policy.permissions[tool.name] ?? policy.permissions[serviceId] ?? 'write';
  if (permissionLevels.indexOf(level) < permissionLevels.indexOf(neededLevel[tool.effect])) {
    return new LoreError('forbidden', `${action}: its permission is "${level}"`, {
      hint: `A person can allow it: set permissions.${tool.name} to "${neededLevel[tool.effect]}" in the settings file.`,
    });
  }
  const scope = scopeOfEffect[tool.effect];
  if (!caller.scopes.includes(scope)) {
    return new LoreError('forbidden', `${action}: this caller lacks the scope "${scope}"`);
  }
  return undefined;
}
