// lore project: the tool of that name, and commands about projects that only a person can run.

import type { App } from '../../app.ts';
import { createPlainCall, localCaller, personCaller } from '../../core/call.ts';
import type { Command, Invocation } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { startOnce } from '../start.ts';

interface Verb {
  tool: 'project_list' | 'project_change';
  arguments(words: readonly string[]): Record<string, string | undefined>;
}

const verbs: Record<string, Verb> = {
  list: { tool: 'project_list', arguments: () => ({}) },
  show: {
    tool: 'project_list',
    // The default is the current folder's project.
    arguments: ([project = localCaller.folder]) => ({ project }),
  },
  merge: {
    tool: 'project_change',
    arguments: ([into, from]) => ({ action: 'merge', into, project: from }),
  },
  split: {
    tool: 'project_change',
    arguments: () => ({ action: 'split' }),
  },
  rename: {
    tool: 'project_change',
    arguments: (words) => ({
      action: 'rename',
      name: words.at(-1),
      project: words.length === 2 ? words[0] : undefined,
    }),
  },
};

export const project: Command = {
  name: 'project',
  summary: 'Show what this project is and knows, or list, merge, split and rename projects.',
  usage: '[list | show [project] | merge [into] [from] | split | rename [project] <name>]',
  settings: ['read_only', 'call_timeout_ms'],
  options: { verbose: { type: 'boolean', help: 'More memories of this project' } },
  examples: [
    ['lore project', 'what this project is and knows'],
    ['lore project list', 'all projects with memories, this one marked'],
    ['lore project show', 'folders, remotes and merged projects of this one'],
    ['lore project merge shop', "make this folder's project part of shop: they share all memories"],
    ['lore project split', 'undo a merge, or keep this folder separate and stop asking'],
    ['lore project rename "Shop, new"', 'give this project another name'],
  ],
  async run(invocation) {
    const { words, flags, output } = invocation;
    const [word, ...rest] = words;
    const app = await startOnce({ flags });
    try {
      const verb = word === undefined ? undefined : verbs[word];
      if (!verb) return await runTool(app, { ...invocation, flags: {} });
      const given = Object.entries(verb.arguments(rest)).filter(([, value]) => value !== undefined);
      const call = createPlainCall(personCaller);
      const { structured } = await app.registry.call(verb.tool, Object.fromEntries(given), call);
      if (output.json) output.printJson(structured);
      else output.print(app.registry.find(verb.tool)?.show?.(structured, output.style) ?? '');
      return 0;
    } finally {
      await app.stop();
    }
  },
};

async function runTool(app: App, invocation: Invocation): Promise<number> {
  const tool = app.registry.find(project.name);
  if (!tool) throw new LoreError('unavailable', 'Cannot show the project: the service "memory" is not running');
  const { defineToolCommand } = await import('../tool-command.ts');
  return defineToolCommand(tool, app).run(invocation);
}
