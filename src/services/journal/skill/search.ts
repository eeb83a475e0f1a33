// skill_search: searches skills, lists them, or reads one in full.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import { resolveProjects } from '../../../graph/project/scope.ts';
import type { JournalContext } from '../context.ts';
import { renderSkills } from './render.ts';
import { showSkills } from './show.ts';
import { checkName, skillShape } from './skill.ts';

const answer = s.object({
  skills: s.list(skillShape),
  /** The text of the requested skill. */
  content: s.optional(s.string()),
  file: s.optional(s.string()),
  files: s.optional(s.list(s.object({ path: s.string(), size: s.integer() }))),
  versions: s.optional(s.integer()),
  next_cursor: s.optional(s.string()),
});

export type SkillAnswer = s.Infer<typeof answer>;

const modes = ['search', 'list', 'get'] as const;
type Mode = (typeof modes)[number];

export function createSkillSearchTool(context: JournalContext) {
  return defineTool({
    name: 'skill_search',
    title: 'Search skills',
    description:
      'Find procedures that worked before in this project. Call it before working out a procedure yourself. query searches; name reads one in full; without either, all are listed.',
    effect: 'read',
    page: 'opens',
    main: 'query',
    examples: [
      ['lore skill search "publish a package"', 'by what it does'],
      ['lore skill search --name release', 'one in full'],
      ['lore skill search', 'all skills'],
    ],
    input: s.object({
      query: s.optional(s.string({ min: 1, max: 20_000 })),
      name: s.optional(s.string({ min: 1, max: 200 })),
      mode: s.optional(s.oneOf(modes, { description: 'Default: inferred from the arguments' })),
      version: s.optional(s.string({ max: 64, description: 'An earlier version' })),
      file: s.optional(s.string({ max: 500, description: 'Another file of the skill' })),
      tags: s.optional(s.list(s.string({ min: 1, max: 64 }), { max: 32 })),
      limit: s.withDefault(s.integer({ min: 1, max: 100 }), 10),
      cursor: s.optional(s.string({ max: 200 })),
      project: s.optional(s.string({ max: 500, description: 'Another project, or "all"' })),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
    }),
    output: answer,
    async run({ mode, query, name, project, project_path: folder, ...options }, call): Promise<SkillAnswer> {
      const chosen = mode ?? chooseMode(query, name);
      if (chosen === 'search' && !query?.trim()) throw missing('query', query, 'search');
      if (chosen === 'get' && name === undefined) throw missing('name', name, 'get');
      if (chosen === 'get') checkName(name as string);
      const scope = await context.open(call, folder);
      const projects = await resolveProjects(scope, project);
      const { findSkills, readOne, describeAll } = await import('./answer.ts');
      const isUse = !call.caller.scopes.includes('person');
      if (chosen === 'get') return readOne(scope, projects, name as string, { ...options, isUse });
      return chosen === 'list'
        ? describeAll(scope, projects, options)
        : findSkills(scope, projects, query as string, options);
    },
    render: renderSkills,
    show: showSkills,
  });
}

function chooseMode(query: string | undefined, name: string | undefined): Mode {
  if (query !== undefined) return 'search';
  return name === undefined ? 'list' : 'get';
}

function missing(key: string, given: string | undefined, mode: Mode): LoreError {
  const received = given === undefined ? 'nothing' : 'only spaces';
  return new LoreError('invalid_input', `Cannot ${mode} skills: arguments.${key} is missing`, {
    details: { path: `arguments.${key}`, expected: 'string', received },
  });
}
