// init: registers a project and learns from its README and architecture documents.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { inOneLine } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import { readInside } from '../../files/inside.ts';
import { listProjects } from '../../graph/census.ts';
import { ensureProject } from '../../graph/project/scope.ts';
import type { MemoryContext } from './context.ts';
import { type LearnInput, learnKind } from './learn.ts';

const documents = ['README.md', 'README', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/README.md'];
const longestDocument = 200_000;

const outcome = s.object({
  project: s.string(),
  root: s.string(),
  state: s.oneOf(['begun', 'known'], { description: 'known: registered before' }),
  documents: s.list(s.string()),
  operations: s.list(s.string()),
});

export function createInitTool(context: MemoryContext) {
  return defineTool({
    name: 'init',
    title: 'Register a project',
    description:
      'Register a project and learn from its README and architecture pages. Repeating it learns what is new in them; force learns everything again.',
    effect: 'write',
    main: 'path',
    examples: [
      ['lore init', 'the current folder'],
      ['lore init --force', 'learn from its README again'],
    ],
    idempotent: true,
    expensive: true,
    input: s.object({
      path: s.optional(s.string({ min: 1, max: 4_096, description: 'Default: the current folder' })),
      force: s.withDefault(s.boolean(), false),
    }),
    output: outcome,
    async run({ path, force }, call) {
      const scope = await (path === undefined ? context.open(call) : context.enter(call, path));
      const { opened, project, projects } = scope;
      if (project.root === '') throw noProjectError();
      const known = (await listProjects(opened)).some((node) => projects.includes(node.project));
      await ensureProject(scope);
      const described = { project: project.name, root: project.root };
      const found = await readDocuments(project.root);
      const operations: string[] = [];
      for (const { name, content } of found) {
        const key = `${project.id} ${name}`;
        const input: LearnInput = { content, source: name, root: project.root, ...(!force && { key }) };
        operations.push((await opened.operations.add(learnKind, project.id, input)).id);
      }
      opened.worker.wake();
      const state: 'known' | 'begun' = known ? 'known' : 'begun';
      return { ...described, state, documents: found.map(({ name }) => name), operations };
    },
    render(result) {
      if (result.documents.length === 0) return describeInit(result);
      return describeInit(result).replace(/\.$/, ` in the background (${result.operations.join(', ')}).`);
    },
    show: describeInit,
  });
}

function describeInit({ project, root, state, documents: read }: s.Infer<typeof outcome>): string {
  const place = `${inOneLine(project)} (${inOneLine(root)})`;
  const head = state === 'known' ? `${place} is already registered` : `Initialised ${place}`;
  return `${head}; ${read.length === 0 ? 'there are no documents to learn from' : `learning from ${read.join(', ')}`}.`;
}

function noProjectError(): LoreError {
  return new LoreError('forbidden', 'Cannot register this folder: it is not a project', {
    hint: 'Work in the folder of a project, or pass the path of a granted folder.',
  });
}

async function readDocuments(root: string): Promise<{ name: string; content: string }[]> {
  const read = await Promise.all(
    documents.map(async (name) => ({ name, content: String((await readInside(root, name, longestDocument)) ?? '') })),
  );
  return read.filter(({ content }) => content.trim() !== '');
}
