// lore allow
import { realpathSync } from 'node:fs';
import { loadConfig } from '../../config/load.ts';
import { LoreError } from '../../core/error.ts';
import { resolveHome } from '../../core/path.ts';
import { neededLevel, type PermissionLevel, permissionLevels } from '../../core/permission.ts';
import type { ToolPermission } from '../../core/registry.ts';
import { projectsDefault, projectsPermission } from '../../graph/grant.ts';
import { isReserved } from '../../graph/reserved-folder.ts';
import { type Change, changeList, changeSettings } from '../change-settings.ts';
import type { Command, Invocation } from '../command.ts';
import { alignColumns, type Output } from '../output.ts';
import { startOnce } from '../start.ts';

export const allow: Command = {
  name: 'allow',
  summary:
    'Set what tools may do: by tool, group or service, in other projects; and which folders and logs they may read.',
  usage: '[tool | group | service | projects]',
  options: {
    level: {
      type: 'string',
      help: 'off, read or write. Default: what the tool needs; read for several',
      value: 'level',
    },
    'without-asking': { type: 'boolean', help: 'With a tool that changes the system: it need not ask each time' },
    root: {
      type: 'string',
      help: 'A folder in which callers may name projects and read files; with --level off no longer',
      value: 'folder',
    },
    log: {
      type: 'string',
      help: 'A log that may be read, of all once one is named; with --level off no longer',
      value: 'log',
    },
    list: { type: 'boolean', help: 'Every tool and what is allowed of it' },
  },
  examples: [
    ['lore allow eventlog', 'the logs of this machine may be read'],
    ['lore allow reg_write --level write', 'settings may be changed, each time after a question'],
    ['lore allow reg --level off', 'nothing of it any more'],
    ['lore allow --root ~/src', 'projects in this folder may be named and read'],
    ['lore allow projects --level write', 'notes of other projects may be written, not only read'],
    ['lore allow --list', 'what is allowed now'],
  ],
  async run(invocation) {
    const { words, options, output } = invocation;
    const level = readLevel(options.level);
    const changes = [...allowRoot(options.root, level), ...allowLog(options.log, level)];
    const said = changes.length > 0 ? ['Changed.'] : [];
    const permissions = await readPermissions(invocation);
    if (options.list === true) return listPermissions(permissions, output);
    const [name, ...rest] = words;
    if (rest.length > 0 || (name === undefined && changes.length === 0)) {
      throw new LoreError('invalid_input', `Cannot allow "${words.join(' ')}": name one tool, group or service`, {
        hint: 'lore allow --list shows them.',
      });
    }
    if (name !== undefined) {
      const own = allowName(name, level, options['without-asking'] === true, permissions);
      changes.push(...own.changes);
      said.push(own.said);
    }
    const { file, changed } = changeSettings(changes);
    if (output.json) output.printJson({ file, changed });
    else output.print(`${changed ? said.join('\n') : 'That was so already.'}\n${output.dim(file)}`);
    return 0;
  },
};

function readLevel(given: unknown): PermissionLevel | undefined {
  if (given === undefined || permissionLevels.includes(given as PermissionLevel)) return given as PermissionLevel;
  throw new LoreError('invalid_input', `Cannot allow level "${given}": it is none of ${permissionLevels.join(', ')}`);
}

async function readPermissions({ flags }: Invocation): Promise<ToolPermission[]> {
  const app = await startOnce({ flags }, 'silent');
  try {
    return app.registry.permissions();
  } finally {
    await app.stop();
  }
}

interface Row {
  tool: string;
  service: string;
  group?: string;
  level: PermissionLevel;
  needs: PermissionLevel;
  asks?: boolean;
}

function listPermissions(permissions: readonly ToolPermission[], output: Output): number {
  const { unasked } = loadConfig().values;
  const rows: Row[] = permissions.map(({ tool, service, level }) => ({
    tool: tool.name,
    service,
    ...(tool.group !== undefined && { group: tool.group }),
    level,
    needs: neededLevel[tool.effect],
    ...(unasked.includes(tool.name) && { asks: false }),
  }));
  const projects = loadConfig().values.permissions[projectsPermission] ?? projectsDefault;
  rows.push({ tool: projectsPermission, service: 'other projects', level: projects, needs: 'write' });
  if (output.json) output.printJson(rows);
  else {
    const cells = rows.map(({ tool, service, group, level, needs, asks }) => {
      const note = level === needs || level === 'write' ? '' : `needs ${needs}`;
      return [tool, group ? `${service}, ${group}` : service, level, asks === false ? 'does not ask' : note];
    });
    output.print(alignColumns([['tool', 'service, group', 'level', ''], ...cells]));
  }
  return 0;
}

function allowName(
  name: string,
  given: PermissionLevel | undefined,
  isUnasked: boolean,
  known: readonly ToolPermission[],
) {
  const tool = known.find((one) => one.tool.name === name)?.tool;
  const isGroup = name === projectsPermission || known.some((one) => one.tool.group === name || one.service === name);
  if (!tool && !isGroup) {
    const names = [...new Set(known.flatMap((one) => one.tool.group ?? one.service))];
    throw new LoreError('not_found', `Cannot allow "${name}": there is no such tool, group or service`, {
      hint: `Groups and services: ${[...names, projectsPermission].join(', ')}. lore allow --list shows all tools.`,
    });
  }
  const level = given ?? (tool ? neededLevel[tool.effect] : 'read');
  if (isUnasked && (!tool || level !== 'write')) {
    throw new LoreError('invalid_input', `Cannot allow "${name}" without asking: that is for one tool and level write`);
  }
  const { unasked } = loadConfig().values;
  const changes: Change[] = [{ path: ['permissions', name], value: level }];
  if (isUnasked !== unasked.includes(name)) {
    changes.push({ path: ['unasked'], value: changeList(unasked, name, isUnasked) });
  }
  return { changes, said: `${name}: ${level}${isUnasked ? ', without asking' : ''}. Running servers take it at once.` };
}

function allowRoot(given: unknown, level: PermissionLevel | undefined): Change[] {
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
    throw new LoreError('forbidden', `Cannot allow folder "${given}": it holds everything a person has`, {
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

function allowLog(given: unknown, level: PermissionLevel | undefined): Change[] {
  if (typeof given !== 'string') return [];
  return [{ path: ['logs'], value: changeList(loadConfig().values.logs, given, level !== 'off') }];
}
