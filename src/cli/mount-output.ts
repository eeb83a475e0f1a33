// What `lore mount` prints about mounts and their tools.
import type { Output } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { showHidden } from '../core/text/fence.ts';
import { inOneLine } from '../core/text/terminal.ts';
import { catalogOf } from '../services/gateway/catalog.ts';
import type { Gateway } from '../services/gateway/gateway.ts';
import type { Lesson } from '../services/gateway/learn/lessons.ts';
import { originOf } from '../services/gateway/mount/mount.ts';
import type { MountState } from '../services/gateway/mount/store.ts';
import { describeQuarantine } from '../services/gateway/trust/approvals.ts';
import { alignColumns } from './output.ts';

export function listMounts(gateway: Gateway, output: Output): number {
  const rows = gateway.store.list().map((state) => summarize(gateway, state));
  if (output.json) output.printJson(rows);
  else if (rows.length === 0)
    output.print('No server is mounted. Mount one: lore mount <name> -- <command>, or lore mount <name> <url>');
  else
    output.print(
      alignColumns([
        ['name', 'state', 'tools', 'review', 'server'],
        ...rows.map((row) => [
          row.name,
          row.state,
          String(row.tools),
          row.review === 0 ? '' : String(row.review),
          row.origin,
        ]),
      ]),
    );
  return 0;
}

function summarize(gateway: Gateway, state: MountState) {
  const catalog = catalogOf(state);
  const { mount, listing } = state;
  const crashes = gateway.crashes(mount.name);
  return {
    name: mount.name,
    state: crashes.isBroken() ? 'broken' : listing ? 'ready' : 'unknown',
    tools: catalog.length,
    review: catalog.filter(({ trust }) => trust !== 'approved').length,
    origin: originOf(mount),
    ...(listing && { server: listing.server }),
  };
}

export function reportMount(gateway: Gateway, state: MountState, output: Output, done: string): number {
  const { name, tools, review, server } = summarize(gateway, state);
  if (output.json) {
    output.printJson({ name, tools, review, server });
    return 0;
  }
  const known = [server?.title ?? server?.name, server?.version]
    .filter(Boolean)
    .map((text) => inOneLine(showHidden(String(text))));
  output.print(`${done}: ${known.join(' ')}, ${tools} tools, revision ${server?.revision}`);
  if (review > 0)
    output.print(`${review} ${review === 1 ? 'tool needs' : 'tools need'} a review first: lore mount review ${name}`);
  return 0;
}

export function describeMount(gateway: Gateway, name: string, output: Output): number {
  const state = gateway.store.get(name);
  const { mount, listing, lessons } = state;
  const catalog = catalogOf(state);
  const crashes = gateway.crashes(name).read();
  if (output.json) {
    const tools = catalog.map(({ provided, trust, schema }) => ({ ...provided, trust, arguments: schema }));
    output.printJson({
      ...mount,
      server: listing?.server,
      package: listing?.package,
      crashes,
      lessons: lessons ?? [],
      tools,
    });
    return 0;
  }
  const facts = [
    ['server', originOf(mount)],
    ['package', listing?.package && `${listing.package.name}@${listing.package.version}`],
    ['revision', listing?.server.revision ?? 'not known yet'],
    ['environment', mount.command?.env?.join(', ')],
    ['headers', mount.headers?.join(', ')],
    ['locked', mount.locked && JSON.stringify(mount.locked)],
    ['defaults', mount.defaults && JSON.stringify(mount.defaults)],
    ...Object.entries(mount.profiles ?? {}).map(([folder, rules]) => ['profile', `${folder} ${JSON.stringify(rules)}`]),
    [
      'also has',
      listing &&
        `${listing.resources.length + listing.resourceTemplates.length} resources, ${listing.prompts.length} prompts`,
    ],
    ['last crash', crashes.at(-1) && `${new Date(crashes.at(-1)?.at ?? 0).toISOString()} ${crashes.at(-1)?.state}`],
  ].filter((row): row is [string, string] => row[1] !== undefined);
  output.print(`${alignColumns(facts)}\n`);
  output.print(
    alignColumns(
      catalog.map(({ provided, trust }) => [
        provided.name,
        provided.effect,
        trust === 'approved' ? inOneLine(showHidden(provided.summary)).slice(0, 80) : `! ${describeQuarantine(trust)}`,
      ]),
    ),
  );
  if (lessons && lessons.length > 0)
    output.print(`\nFailed calls worked:\n${alignColumns(lessons.map(describeLesson))}`);
  return 0;
}

function describeLesson({ tool, text, worked, failed }: Lesson): string[] {
  return [tool, `helped ${worked}, not ${failed}`, inOneLine(showHidden(text))];
}

export function showTool(gateway: Gateway, name: string, wanted: string, output: Output): number {
  const mounted = catalogOf(gateway.store.get(name)).find(
    ({ provided, tool }) =>
      [provided.name, tool.name, `${name}_${wanted}`].includes(wanted) || provided.name === `${name}_${wanted}`,
  );
  if (!mounted) throw new LoreError('not_found', `Cannot show tool "${wanted}": "${name}" has none of this name`);
  const { provided, tool, trust, schema } = mounted;
  if (output.json) output.printJson({ ...provided, trust, tool, arguments: schema });
  else
    output.print(
      [provided.name, showHidden(tool.description ?? ''), '', showHidden(JSON.stringify(schema, null, 2))].join('\n'),
    );
  return 0;
}
