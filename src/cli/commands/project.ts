// lore project: the tool of that name, and what only a person decides about projects.
import type { App } from '../../app.ts';
import { createPlainCall, localCaller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { countOf, hangText, inOneLine } from '../../core/terminal.ts';
import type { ListedProject } from '../../graph/project-admin.ts';
import type { Scope } from '../../graph/scope.ts';
import type { Command, Invocation } from '../command.ts';
import type { Output } from '../output.ts';
import { startOnce } from '../start.ts';

type Verb = (scope: Scope, words: readonly string[], output: Output) => Promise<void>;

const verbs: Record<string, { words: readonly [least: number, most: number]; writes: boolean; run: Verb }> = {
  list: { words: [0, 0], writes: false, run: printList },
  show: { words: [0, 1], writes: false, run: printOne },
  merge: { words: [0, 2], writes: true, run: merge },
  split: { words: [0, 0], writes: true, run: split },
  rename: { words: [1, 2], writes: true, run: rename },
};

export const project: Command = {
  name: 'project',
  summary: 'Show what this project is and knows, or list, merge, split and rename projects.',
  usage: '[list | show [PROJECT] | merge [INTO [FROM]] | split | rename [PROJECT] NAME]',
  settings: ['read_only', 'call_timeout_ms'],
  options: { verbose: { type: 'boolean', help: 'More memories of this project' } },
  examples: [
    ['lore project', 'what this project is and knows'],
    ['lore project list', 'all projects with memories, this one marked'],
    ['lore project show', 'folders, remotes and merged projects of this one'],
    ['lore project merge shop', "make this folder's project part of shop: they share all memories"],
    ['lore project split', 'leave the merged project again, or keep this folder separate without being asked'],
    ['lore project rename "Shop, new"', 'another name for this project'],
  ],
  async run({ words, options, flags, output }) {
    const [verb, ...rest] = words;
    const app = await startOnce({ flags });
    try {
      if (verb === undefined) return await runTool(app, { words, options, flags: {}, output });
      const known = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      if (!known || rest.length < known.words[0] || rest.length > known.words[1]) throw refuse(words);
      if (known.writes && app.config.values.read_only) {
        throw new LoreError('forbidden', `Cannot ${verb} projects: the server is read-only`, {
          hint: 'A person can lift this with the setting read_only.',
        });
      }
      const call = createPlainCall(localCaller);
      await app.registry.run(`project ${verb}`, call, async () => {
        const { openScope } = await import('../../graph/scope.ts');
        await known.run({ ...(await openScope(app.graph, localCaller)), actor: `project ${verb}` }, rest, output);
      });
      return 0;
    } finally {
      await app.stop();
    }
  },
};

async function runTool(app: App, invocation: Invocation): Promise<number> {
  const tool = app.registry.permissions().find(({ tool: { name } }) => name === project.name)?.tool;
  if (!tool) throw new LoreError('unavailable', 'Cannot show the project: the service "memory" does not run');
  const { defineToolCommand } = await import('../tool-command.ts');
  return defineToolCommand(tool, app).run(invocation);
}

function refuse(words: readonly string[]): LoreError {
  return new LoreError('invalid_input', `Cannot run "lore project ${words.join(' ')}"`, {
    hint: `Usage: lore project ${project.usage}`,
  });
}

async function readAll(scope: Scope) {
  const admin = await import('../../graph/project-admin.ts');
  const known = await admin.listWithCounts(scope);
  return { admin, known, own: known.find(({ current }) => current) as ListedProject };
}

async function printList(scope: Scope, _: readonly string[], output: Output): Promise<void> {
  const { known } = await readAll(scope);
  if (output.json) return output.printJson({ projects: known });
  const { bold, dim, width } = output.style;
  for (const { name, id, root, memories, current } of known) {
    const head = `${current ? '* ' : '  '}${inOneLine(name)} · ${countOf(memories, 'memory', 'memories')}`;
    output.print([current ? bold(head) : head, ...hangText('    ', `${id} · ${root}`, width).map(dim)].join('\n'));
  }
}

async function printOne(scope: Scope, [named]: readonly string[], output: Output): Promise<void> {
  const { admin, known, own } = await readAll(scope);
  const one = named === undefined ? own : admin.chooseProject(known, named);
  if (output.json) return output.printJson(one);
  const { bold, width } = output.style;
  const facts: [string, readonly string[]][] = [
    ['Id', [one.id]],
    ['Memories', [String(one.memories)]],
    ['Folders', one.folders],
    ['Remotes', one.remotes],
    ['Merged projects', one.members.slice(1)],
  ];
  const lines = facts.flatMap(([title, values]) => values.flatMap((value) => hangText(`${title}: `, value, width)));
  output.print([bold(inOneLine(one.name)), ...lines].join('\n'));
  const { askAboutRelated } = await import('../../graph/scope.ts');
  const notice = one.current ? askAboutRelated(scope) : undefined;
  if (notice !== undefined) output.print(['', ...hangText('', notice, width)].join('\n'));
}

async function merge(scope: Scope, [given, from]: readonly string[], output: Output): Promise<void> {
  const { admin, known, own } = await readAll(scope);
  const into = given ?? (scope.related.length === 1 ? scope.related[0]?.id : undefined);
  if (into === undefined) throw refuse(['merge']);
  const part = from === undefined ? own : admin.chooseProject(known, from);
  const others = known.filter(({ id }) => id !== part.id);
  // Clones have one name: the one that was asked about is meant.
  const asked = others.filter(({ id, name }) => name === into && scope.related.some((one) => one.id === id));
  const whole = asked.length === 1 ? (asked[0] as ListedProject) : admin.chooseProject(others, into);
  await admin.mergeInto(scope, part, whole);
  const memories = part.memories + whole.memories;
  if (output.json) return output.printJson({ merged: part.id, into: whole.id, memories });
  const count = countOf(memories, 'memory', 'memories');
  output.print(`"${inOneLine(part.name)}" is part of "${inOneLine(whole.name)}" now: ${count} in common.`);
  output.print('To undo it: lore project split, in a folder of the former.');
}

async function split(scope: Scope, _: readonly string[], output: Output): Promise<void> {
  const { admin } = await readAll(scope);
  const done = await admin.splitFolder(scope);
  if (output.json) return output.printJson(done);
  if ('left' in done) {
    output.print('This folder has its own project again, with the memories it had before the merge.');
    output.print(`Memories written since then stay in "${inOneLine(done.left)}".`);
  } else
    output.print(`This folder stays separate from ${done.apart.map((name) => `"${inOneLine(name)}"`).join(', ')}.`);
}

async function rename(scope: Scope, words: readonly string[], output: Output): Promise<void> {
  const { admin, known, own } = await readAll(scope);
  const [named, given] = words.length === 2 ? words : [undefined, words[0]];
  const { id } = named === undefined ? own : admin.chooseProject(known, named);
  const name = await admin.renameProject(scope, id, given ?? '');
  if (output.json) return output.printJson({ id, name });
  output.print(`The project is called "${name}" now.`);
}
