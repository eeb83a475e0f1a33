// project_list and project_change: lists and changes projects. Only a person changes them: a model must not be able to give one
// project access to another.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { ListedProject } from '../../graph/project/admin.ts';
import { askAboutRelated, type Scope } from '../../graph/project/scope.ts';
import type { MemoryContext } from './context.ts';
import { showChange, showProjects } from './show/show-projects.ts';

const plain = { bold: String, dim: String, width: Number.POSITIVE_INFINITY, now: 0 };

const named = s.optional(s.string({ min: 1, max: 4_096, description: 'Name, folder or id' }));

const listed = s.object({
  id: s.string(),
  name: s.string(),
  root: s.string(),
  memories: s.integer({ min: 0 }),
  folders: s.list(s.string()),
  remotes: s.list(s.string()),
  members: s.list(s.string({ description: 'Its own id, then those of projects merged into it' })),
  current: s.boolean(),
});

const listing = s.object({
  projects: s.list(listed),
  whole: s.optional(s.boolean({ description: 'A single project was requested' })),
  notice: s.optional(s.string()),
});

export type ProjectListing = s.Infer<typeof listing>;

export function createProjectListTool(context: MemoryContext) {
  return defineTool({
    name: 'project_list',
    title: 'List projects',
    description: 'List all projects with memories, or one, with their folders, remotes and merged projects.',
    effect: 'read',
    scope: 'page',
    input: s.object({ project: named }),
    output: listing,
    async run({ project }, call) {
      const scope = await context.open(call);
      const { admin, known, own } = await readKnown(scope);
      // A client learns nothing of other projects.
      if (!call.caller.scopes.includes('person')) return { projects: [own] };
      if (project === undefined) return { projects: known };
      const one = project === call.caller.folder ? own : admin.chooseProject(known, project);
      const notice = one.current ? askAboutRelated(scope) : undefined;
      return { projects: [one], whole: true, ...(notice !== undefined && { notice }) };
    },
    render: (result) => showProjects(result, plain),
    show: showProjects,
  });
}

const change = s.object({
  id: s.string(),
  name: s.string(),
  memories: s.optional(s.integer({ min: 0, description: 'Of both together' })),
  merged: s.optional(s.string({ description: 'The project that became part of it' })),
  left: s.optional(s.string({ description: 'The project that the folder is no longer part of' })),
  apart: s.optional(s.list(s.string({ description: 'Projects it stays separate from; no more questions about them' }))),
});

export type ProjectChange = s.Infer<typeof change>;

export function createProjectChangeTool(context: MemoryContext) {
  return defineTool({
    name: 'project_change',
    title: 'Merge, split or rename projects',
    description:
      'Merge a project (default: the current one) into another, split this folder from the project it was merged into, or rename a project.',
    effect: 'write',
    scope: 'person',
    audited: (done: ProjectChange) => done,
    input: s.object({
      action: s.oneOf(['merge', 'split', 'rename']),
      project: named,
      into: named,
      name: s.optional(s.string({ max: 1_000 })),
    }),
    output: change,
    async run({ action, project, into, name = '' }, call): Promise<ProjectChange> {
      const scope = await context.open(call);
      if (action === 'merge') return merge(scope, project, into);
      const { admin, known, own } = await readKnown(scope);
      const chosen = project === undefined ? own : admin.chooseProject(known, project);
      if (action === 'rename') return { id: chosen.id, name: await admin.renameProject(scope, chosen.id, name) };
      return { id: own.id, name: own.name, ...(await admin.splitFolder(scope)) };
    },
    render: showChange,
    show: showChange,
  });
}

async function merge(scope: Scope, from: string | undefined, into: string | undefined): Promise<ProjectChange> {
  const { admin, known, own } = await readKnown(scope);
  const part = from === undefined ? own : admin.chooseProject(known, from);
  const others = known.filter(({ id }) => id !== part.id);
  const asked = others.filter(({ id, name }) => isAsked(scope, id) && (into === undefined || into === name));
  // Clones share a name: prefer the project of the question to the user.
  const [only, ...rest] = asked;
  if (into === undefined && (!only || rest.length > 0)) {
    throw new LoreError('invalid_input', 'Cannot merge: the target project is not clear', {
      hint: askAboutRelated(scope) ?? 'Name it: lore project merge NAME. lore project list shows all projects.',
    });
  }
  const whole = only && rest.length === 0 ? only : admin.chooseProject(others, into ?? '');
  await admin.mergeInto(scope, part, whole);
  return { id: whole.id, name: whole.name, merged: part.name, memories: part.memories + whole.memories };
}

function isAsked({ related }: Scope, id: string): boolean {
  return related.some((one) => one.id === id);
}

async function readKnown(scope: Scope) {
  const admin = await import('../../graph/project/admin.ts');
  const known = await admin.listWithCounts(scope);
  return { admin, known, own: known.find(({ current }) => current) as ListedProject };
}
