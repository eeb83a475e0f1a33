// Skills for the protocol: as resources, as a prompt, and as the source of its extension for skills.
import { type Call, localCaller } from '../../../core/call.ts';
import type { Completer, Prompt, ResourceTemplate } from '../../../core/service.ts';
import { type Skill, type SkillSource, skillFile } from '../../../core/skill.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import type { GraphAccess } from '../../../graph/access.ts';
import type { JournalContext } from '../context.ts';
import { uriOf } from './skill.ts';

const permission = 'skill_search';

type Asking = Pick<Call, 'caller'>;

export function createSkillSource(context: JournalContext, access: GraphAccess): SkillSource {
  let isOpen = false;
  async function list(call: Asking): Promise<Skill[]> {
    const scope = await context.open(call);
    const { listSkills } = await import('./find-skill.ts');
    const { describeEntry } = await import('./read-skill.ts');
    return (await listSkills(scope)).map(describeEntry);
  }
  access.whenOpen(() => {
    isOpen = true;
    // Lists that were sent before did not include them.
    void list({ caller: localCaller }).then(
      (skills) => skills.length > 0 && context.listChanged('resources'),
      () => {},
    );
  });
  return {
    permission,
    // Listing skills must not create a database.
    list: async (call) => (access.exists() ? list(call) : []),
    async get(uri, call) {
      const name = /^skill:\/\/([a-z0-9-]+)\/SKILL\.md$/.exec(uri)?.[1];
      if (name === undefined) return undefined;
      const { opened, projects } = await context.open(call);
      const { findNewest } = await import('./find-skill.ts');
      const node = await findNewest(opened, projects, name);
      if (!node || node.forgottenAt !== undefined) return undefined;
      return (await import('./read-skill.ts')).describeEntry(node);
    },
    known: (call) => (isOpen ? list(call) : []),
  };
}

/** Names with this prefix, then names that contain it. */
function createNameCompleter(context: JournalContext): Completer {
  return async (typed, _, call) => {
    const scope = await context.open(call);
    const { listSkills } = await import('./find-skill.ts');
    const { dataOf } = await import('./skill.ts');
    const names = (await listSkills(scope)).map((node) => dataOf(node).name);
    const begun = names.filter((name) => name.startsWith(typed));
    return [...begun, ...names.filter((name) => !name.startsWith(typed) && name.includes(typed))];
  };
}

export function createSkillTemplates(context: JournalContext): ResourceTemplate[] {
  const name = createNameCompleter(context);
  async function read(call: Call, skill: string, path: string) {
    const scope = await context.open(call);
    const { getSkill } = await import('./find-skill.ts');
    const { readSkillFile } = await import('./read-skill.ts');
    return readSkillFile(scope.opened, await getSkill(scope, skill, 'read'), path);
  }
  return [
    {
      uriTemplate: 'lore://skill/{name}',
      name: 'skill',
      title: 'A skill',
      description: 'One skill of this project, as its SKILL.md.',
      permission,
      mimeType: 'text/markdown',
      complete: { name },
      async read({ name: skill = '' }, uri, call) {
        const { text, mimeType } = await read(call, skill, skillFile);
        return [{ uri, mimeType, text: fenceAsData([{ id: uriOf(skill), label: 'skill', text }]) }];
      },
      watch: ({ name: skill = '' }, _, call) => read(call, skill, skillFile).then(() => undefined),
    },
    {
      uriTemplate: 'skill://{name}/{+file}',
      name: 'skill_file',
      title: 'A file of a skill',
      description: 'SKILL.md, or another file of the skill.',
      permission,
      complete: {
        name,
        async file(typed, { name: skill = '' }, call) {
          const scope = await context.open(call);
          const { getSkill } = await import('./find-skill.ts');
          const { dataOf } = await import('./skill.ts');
          const { files = [] } = dataOf(await getSkill(scope, skill, 'read'));
          return [skillFile, ...files.map(({ path }) => path)].filter((path) => path.startsWith(typed));
        },
      },
      // Not fenced, because the protocol's extension publishes the digest of these bytes.
      read: async (values, uri, call) => [{ uri, ...(await read(call, values.name ?? '', values.file ?? '')) }],
      watch: ({ name: skill = '', file = '' }, _, call) => read(call, skill, file).then(() => undefined),
    },
  ];
}

export function createSkillPrompts(context: JournalContext): Prompt[] {
  return [
    {
      name: 'use_skill',
      title: 'Use a skill',
      description: 'Follow a procedure that worked before.',
      permission,
      arguments: [
        { name: 'name', description: 'Of the skill', required: true, complete: createNameCompleter(context) },
        { name: 'task', description: 'What to use it for' },
      ],
      async get({ name = '', task }, call) {
        const scope = await context.open(call);
        const { getSkill } = await import('./find-skill.ts');
        const { readSkillFile } = await import('./read-skill.ts');
        const { noteRead } = await import('./use-skill.ts');
        const node = await getSkill(scope, name, 'use');
        const file = await readSkillFile(scope.opened, node, skillFile);
        await noteRead(scope, node);
        const aim = task === undefined || task.trim() === '' ? '' : ` for this: ${task}`;
        const after = `skill_save ${JSON.stringify({ name, mode: 'used', success: true })}`;
        // Not fenced, because the user asks to follow this skill.
        return [
          { role: 'user', content: { type: 'resource', resource: { uri: uriOf(name), ...file } } },
          {
            role: 'user',
            content: {
              type: 'text',
              text: `Follow the skill "${name}" above${aim}. Its other files are at skill://${name}/…. When you are done, report how it went: ${after}`,
            },
          },
        ];
      },
    },
  ];
}
