// lore allow

import { realpathSync } from 'node:fs';
import { changeList, changeSettings, type SettingChange } from '../../config/change-settings.ts';
import { loadConfig } from '../../config/load.ts';
import type { Command, Invocation, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { resolveHome } from '../../core/path.ts';
import {
  neededLevel,
  type PermissionLevel,
  permissionLevels,
  projectsDefault,
  projectsPermission,
} from '../../core/registry/permission.ts';
import type { ToolPermission } from '../../core/registry/registry.ts';
import { didYouMean } from '../../core/text/similar-names.ts';
import type { Effect } from '../../core/tool.ts';
import { isReserved } from '../../graph/project/reserved-folder.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';
import { usageError } from '../usage.ts';

export const allow: Command = {
  name: 'allow',
  summary: 'Set permissions: for a tool, group or service, for other projects, and for folders and logs.',
  usage: '[tool|group|service|projects]',
  options: {
    level: {
      type: 'string',
      help: 'off, read or write. Default: the level that the tool needs; read for a group or service',
      value: 'level',
    },
    'without-asking': { type: 'boolean', help: 'Let a tool change the system without a confirmation each time' },
    root: {
      type: 'string',
      help: 'Folder whose projects and files callers may use; --level off revokes it',
      value: 'folder',
    },
    log: {
      type: 'string',
      help: 'Log that may be read, instead of all logs; --level off removes it',
      value: 'log',
    },
    list: { type: 'boolean', help: 'List every tool and its level' },
  },
  examples: [
    ['lore allow eventlog', 'read the logs of this machine'],
    ['lore allow reg_write --level write', 'change its settings, after a confirmation each time'],
    ['lore allow eventlog --level off', 'revoke'],
    ['lore allow --root ~/src', 'use the projects in this folder'],
    ['lore allow projects --level write', 'write to other projects, not only read them'],
    ['lore allow --list', 'every tool and its level'],
  ],
  async run(invocation) {
    const { words, options, output } = invocation;
    const level = readLevel(options.level);
    const changes = [...allowRoot(options.root, level), ...allowLog(options.log, level)];
    const messages = changes.length > 0 ? ['Changed.'] : [];
    const { permissions, further } = await readPermissions(invocation);
    if (options.list === true) return listPermissions(permissions, output);
    const [name] = words;
    if (name === undefined && changes.length === 0) {
      throw usageError(allow, 'Missing argument: expected a tool, group or service', 'lore allow --list shows them.');
    }
    if (name !== undefined) {
      const own = allowName(name, level, options['without-asking'] === true, permissions, further);
      changes.push(...own.changes);
      messages.push(own.message);
    }
    const { file, changed } = changeSettings(changes);
    if (output.json) output.printJson({ file, changed });
    else output.print(`${changed ? messages.join('\n') : 'Nothing to change.'}\n${output.dim(file)}`);
    return 0;
  },
};

function readLevel(given: unknown): PermissionLevel | undefined {
  if (given === undefined || permissionLevels.includes(given as PermissionLevel)) return given as PermissionLevel;
  throw new LoreError('invalid_input', `Cannot allow level "${given}": expected one of ${permissionLevels.join(', ')}`);
}

async function readPermissions({ flags }: Invocation): Promise<{ permissions: ToolPermission[]; further: string[] }> {
  const app = await startOnce({ flags }, 'silent');
  try {
    const further = await Promise.all(app.offered.map((service) => service.permissionNames?.() ?? []));
    return { permissions: app.registry.permissions(), further: further.flat() };
  } finally {
    await app.stop();
  }
}

interface Row {
  tool: string;
  service: string;
  group?: string;
  /** Undefined for the row of other projects. */
  effect?: Effect;
  level: PermissionLevel;
  needs: PermissionLevel;
  asks?: boolean;
}

function listPermissions(permissions: readonly ToolPermission[], output: Output): number {
  const { unconfirmed_tools: unconfirmed } = loadConfig().values;
  const rows: Row[] = permissions.map(({ tool, service, level }) => ({
    tool: tool.name,
    service,
    ...(tool.group !== undefined && { group: tool.group }),
    effect: tool.effect,
    level,
    needs: neededLevel[tool.effect],
    ...(unconfirmed.includes(tool.name) && { asks: false }),
  }));
  const projects = loadConfig().values.permissions[projectsPermission] ?? projectsDefault;
  rows.push({ tool: projectsPermission, service: 'other projects', level: projects, needs: 'write' });
  if (output.json) output.printJson(rows);
  else {
    const cells = rows.map(({ tool, service, group, effect = '', level, needs, asks }) => {
      const isAllowed = level === 'write' || level === needs;
      const state = `${isAllowed ? 'allowed' : `needs ${needs}`}${asks === false ? ', without asking' : ''}`;
      return [tool, group ? `${service}, ${group}` : service, effect, level, state];
    });
    output.print(alignColumns([['tool', 'service, group', 'effect', 'level', ''], ...cells]));
  }
  return 0;
}

function allowName(
  name: string,
  given: PermissionLevel | undefined,
  skipsConfirmation: boolean,
  known: readonly ToolPermission[],
  further: readonly string[],
) {
  const tool = known.find((one) => one.tool.name === name)?.tool;
  // A source, or a tool of a source.
  const isAdded = further.some((one) => name === one || name.startsWith(`${one}_`));
  const isGroup =
    isAdded || name === projectsPermission || known.some((one) => one.tool.group === name || one.service === name);
  if (!tool && !isGroup) {
    const names = [
      ...new Set(known.flatMap(({ tool, service }) => (tool.group === undefined ? service : [service, tool.group]))),
    ];
    throw new LoreError('not_found', `Cannot allow "${name}": there is no such tool, group or service`, {
      hint:
        didYouMean(name, [...names, ...known.map((one) => one.tool.name)]) ??
        `Groups and services: ${[...names, projectsPermission].join(', ')}. lore allow --list shows all tools.`,
    });
  }
  const level = given ?? (tool ? neededLevel[tool.effect] : 'read');
  if (skipsConfirmation && (!tool || level !== 'write')) {
    throw new LoreError(
      'invalid_input',
      `Cannot allow "${name}" without asking: expected one tool and the level write`,
    );
  }
  const { unconfirmed_tools: unconfirmed } = loadConfig().values;
  const changes: SettingChange[] = [{ path: ['permissions', name], value: level }];
  if (skipsConfirmation !== unconfirmed.includes(name)) {
    changes.push({ path: ['unconfirmed_tools'], value: changeList(unconfirmed, name, skipsConfirmation) });
  }
  return {
    changes,
    message: `${name}: ${level}${skipsConfirmation ? ', without asking' : ''}. Running servers apply it at once.`,
  };
}

function allowRoot(given: unknown, level: PermissionLevel | undefined): SettingChange[] {
  if (typeof given !== 'string') return [];
  const path = resolveHome(given);
  const { roots } = loadConfig().values;
  if (level === 'off') {
    const listed = roots.find((root) => root === given || root === path) ?? realOf(path) ?? path;
    return [{ path: ['roots'], value: changeList(roots, listed, false) }];
  }
  const real = realOf(path);
  if (real === undefined) throw new LoreError('not_found', `Cannot allow folder "${given}": it does not exist`);
  if (isReserved(real)) {
    throw new LoreError('forbidden', `Cannot allow folder "${given}": it contains a home folder`, {
      hint: 'Allow the folders inside it that hold projects.',
    });
  }
  return [{ path: ['roots'], value: changeList(roots, real, true) }];
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function allowLog(given: unknown, level: PermissionLevel | undefined): SettingChange[] {
  if (typeof given !== 'string') return [];
  return [{ path: ['logs'], value: changeList(loadConfig().values.logs, given, level !== 'off') }];
}
