// What a person may see and set from the dashboard: permissions, pauses of learning and the audit log. The scope of these tools
// keeps them from agents, which must not be able to widen their own permissions.
import type { AuditLine } from '../../core/audit/chain.ts';
import { LoreError } from '../../core/error.ts';
import {
  isUndecided,
  neededLevel,
  type PermissionLevel,
  type Policy,
  permissionLevels,
  projectsDefault,
  projectsPermission,
} from '../../core/registry/permission.ts';
import type { ToolPermission } from '../../core/registry/registry.ts';
import * as s from '../../core/schema.ts';
import { defineTool, type Tool } from '../../core/tool.ts';
import type { Folders } from '../../graph/project/grant.ts';

/** The settings file and the audit log, which belong to the installation. Running servers follow the file. */
export interface Administration {
  policy(): Policy;
  permissions(): readonly ToolPermission[];
  /** Names besides tools, services and groups that a permission can have. */
  furtherNames(): Promise<readonly string[]>;
  setPermission(name: string, level: PermissionLevel): Promise<void>;
  /** The pauses of these projects, or of all; undefined ends them. */
  pause(projects: readonly string[] | 'all', until: number | undefined): Promise<void>;
  pausedUntil(projects: readonly string[]): Promise<number | undefined>;
  readAudit(count: number): Promise<readonly AuditLine[]>;
}

export function createAdministrationTools(admin: Administration, folders: Folders): Tool[] {
  return [
    createPermissionListTool(admin),
    createPermissionSetTool(admin),
    createPauseTool(admin, folders),
    createAuditTool(admin),
  ];
}

function createPermissionListTool(admin: Administration) {
  const level = s.oneOf(permissionLevels);
  const row = s.object({
    tool: s.string(),
    title: s.string(),
    service: s.string(),
    group: s.optional(s.string()),
    effect: s.oneOf(['read', 'write', 'destroy']),
    level,
    needs: level,
    allowed: s.boolean(),
    decided: s.boolean({ description: 'A person set it, or it is on by default' }),
    person: s.boolean({ description: 'Only a person may call it' }),
  });
  return defineTool({
    name: 'permission_list',
    title: 'List permissions',
    description: 'List every tool with its permission.',
    effect: 'read',
    scope: 'person',
    input: s.object({}),
    output: s.object({ read_only: s.boolean(), projects: level, tools: s.list(row) }),
    run() {
      const policy = admin.policy();
      return {
        read_only: policy.readOnly,
        projects: policy.permissions[projectsPermission] ?? projectsDefault,
        tools: admin.permissions().map(({ tool, service, level }) => {
          const needs = neededLevel[tool.effect];
          return {
            tool: tool.name,
            title: tool.title,
            service,
            ...(tool.group !== undefined && { group: tool.group }),
            effect: tool.effect,
            level,
            needs,
            allowed: permissionLevels.indexOf(level) >= permissionLevels.indexOf(needs),
            decided: !isUndecided(policy, tool, service),
            person: tool.scope === 'person',
          };
        }),
      };
    },
    render: ({ tools }) => tools.map(({ tool, level }) => `${tool}: ${level}`).join('\n'),
  });
}

function createPermissionSetTool(admin: Administration) {
  return defineTool({
    name: 'permission_set',
    title: 'Set a permission',
    description: 'Set the permission of a tool, service, group or source, or of other projects.',
    effect: 'write',
    scope: 'person',
    audited: true,
    idempotent: true,
    input: s.object({ name: s.string({ min: 1, max: 200 }), level: s.oneOf(permissionLevels) }),
    output: s.object({ name: s.string(), level: s.oneOf(permissionLevels) }),
    async run({ name, level }) {
      const known = admin.permissions().flatMap(({ tool, service }) => [tool.name, service, tool.group]);
      const further = await admin.furtherNames();
      const isKnown =
        name === projectsPermission ||
        known.includes(name) ||
        further.some((one) => name === one || name.startsWith(`${one}_`));
      if (!isKnown) {
        throw new LoreError('not_found', `Cannot allow "${name}": there is no such tool, group or service`);
      }
      await admin.setPermission(name, level);
      return { name, level };
    },
    render: ({ name, level }) => `${name}: ${level}`,
  });
}

function createPauseTool(admin: Administration, folders: Folders) {
  return defineTool({
    name: 'learning_pause',
    title: 'Pause learning',
    description:
      'Stop learning from conversations in this project or in all, for hours or until off; or only report it.',
    effect: 'write',
    scope: 'person',
    audited: true,
    input: s.object({
      mode: s.withDefault(s.oneOf(['pause', 'off']), 'pause'),
      all: s.withDefault(s.boolean({ description: 'Every project' }), false),
      hours: s.optional(s.integer({ min: 1, max: 10_000 })),
    }),
    output: s.object({ paused: s.boolean(), until: s.optional(s.string()) }),
    async run({ mode, all, hours }, { caller }) {
      const { projects } = await folders.open(caller);
      const whose = all ? 'all' : projects;
      const end = hours === undefined ? Number.POSITIVE_INFINITY : Date.now() + hours * 3_600_000;
      await admin.pause(whose, mode === 'pause' ? end : undefined);
      const until = await admin.pausedUntil(all ? [] : projects);
      return {
        paused: until !== undefined,
        ...(until !== undefined && Number.isFinite(until) && { until: new Date(until).toISOString() }),
      };
    },
    render: ({ paused, until }) =>
      paused ? `Learning is paused${until ? ` until ${until}` : ''}.` : 'Learning is on.',
  });
}

function createAuditTool(admin: Administration) {
  const line = s.object({
    seq: s.integer(),
    time: s.string(),
    caller: s.string(),
    tool: s.string(),
    outcome: s.string(),
    arguments: s.optional(s.string()),
    message: s.optional(s.string()),
    facts: s.optional(s.json()),
  });
  return defineTool({
    name: 'audit_list',
    title: 'Audit log',
    description: 'Return the newest lines of the audit log, newest first.',
    effect: 'read',
    scope: 'person',
    input: s.object({ limit: s.withDefault(s.integer({ min: 1, max: 2_000 }), 200) }),
    output: s.object({ lines: s.list(line) }),
    async run({ limit }) {
      const lines = await admin.readAudit(limit);
      return {
        lines: [...lines].reverse().map(({ seq, time, caller, tool, outcome, message, facts, ...rest }) => ({
          seq,
          time,
          caller,
          tool,
          outcome,
          ...(rest.arguments !== undefined && { arguments: rest.arguments }),
          ...(message !== undefined && { message }),
          ...(facts !== undefined && { facts }),
        })),
      };
    },
    render: ({ lines }) =>
      lines.map(({ seq, time, outcome, tool, caller }) => `${seq} ${time} ${outcome} ${tool} ${caller}`).join('\n') ||
      'Nothing has been audited yet.',
  });
}
