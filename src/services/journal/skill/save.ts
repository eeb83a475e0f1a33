// skill_save: stores a named procedure, records how using it went, deletes and restores it.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { countOf, joinFacts, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { announceSkill } from '../announce.ts';
import type { JournalContext } from '../context.ts';
import { checkName, dataOf, longestContent, longestDescription, versionOf } from './skill.ts';

const modes = ['save', 'used', 'delete', 'restore'] as const;

const outcome = s.object({
  action: s.oneOf(['saved', 'updated', 'unchanged', 'restored', 'deleted', 'counted']),
  name: s.string(),
  version: s.string(),
  uses: s.optional(s.integer()),
  succeeded: s.optional(s.integer()),
  failed: s.optional(s.integer()),
  redacted: s.optional(s.integer({ description: 'Secrets redacted before storing' })),
});

type Outcome = s.Infer<typeof outcome>;

export function createSkillSaveTool(context: JournalContext) {
  return defineTool({
    name: 'skill_save',
    title: 'Save a skill',
    description:
      'Store a procedure that worked, step by step in Markdown, for all later sessions; saving the same name again makes a new version. After following a skill, call it with mode "used" and success.',
    effect: 'write',
    examples: [
      ['lore skill save release --content - < release.md', 'from a file'],
      ['lore skill save release --mode used --success', 'it worked again'],
      ['lore skill save release --mode delete', 'delete it'],
    ],
    input: s.object({
      name: s.string({ min: 1, max: 200, description: 'Like release-a-package' }),
      content: s.optional(s.string({ min: 1, max: longestContent, description: 'Required to save' })),
      description: s.optional(
        s.string({ min: 1, max: longestDescription, description: 'What it does and when to use it' }),
      ),
      tags: s.optional(s.list(s.string({ min: 1, max: 64 }), { max: 32 })),
      version: s.optional(s.string({ min: 1, max: 64, description: 'Default: a number' })),
      mode: s.withDefault(s.oneOf(modes), 'save'),
      success: s.optional(s.boolean({ description: 'For mode used: whether it worked' })),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
    }),
    output: outcome,
    async run({ mode, content, success, project_path: folder, ...draft }, call) {
      checkName(draft.name);
      const scope = await context.open(call, folder, 'write');
      if (mode === 'used') return countUse(scope, draft.name, success);
      if (mode !== 'save')
        return mode === 'delete' ? drop(context, scope, draft.name) : bringBack(context, scope, draft.name);
      if (content === undefined || content.trim() === '') {
        throw new LoreError('invalid_input', `Cannot save skill "${draft.name}": it has no content`, {
          details: { path: 'arguments.content', expected: 'text', received: content ? 'only spaces' : 'nothing' },
        });
      }
      const { storeSkill } = await import('./store-skill.ts');
      const { action, node, redacted } = await storeSkill(scope, { ...draft, content });
      if (action !== 'unchanged') announceSkill(context, dataOf(node));
      return { action, name: draft.name, version: versionOf(node), redacted };
    },
    render: renderOutcome,
    show: showOutcome,
  });
}

async function countUse(scope: Scope, name: string, success: boolean | undefined): Promise<Outcome> {
  const { getSkill } = await import('./find-skill.ts');
  const { countSkill } = await import('./use-skill.ts');
  const node = await getSkill(scope, name, 'count a use of');
  const how = success === undefined ? 'used' : success ? 'succeeded' : 'failed';
  return { action: 'counted', name, version: versionOf(node), ...(await countSkill(scope, node, how)) };
}

async function drop(context: JournalContext, scope: Scope, name: string): Promise<Outcome> {
  const { getSkill } = await import('./find-skill.ts');
  const node = await getSkill(scope, name, 'delete');
  await scope.opened.graph.forget(node.id, scope.actor);
  announceSkill(context, dataOf(node));
  return { action: 'deleted', name, version: versionOf(node) };
}

async function bringBack(context: JournalContext, scope: Scope, name: string): Promise<Outcome> {
  const { findNewest, getSkill } = await import('./find-skill.ts');
  const node = (await findNewest(scope.opened, scope.projects, name)) ?? (await getSkill(scope, name, 'restore'));
  if (node.forgottenAt === undefined) return { action: 'unchanged', name, version: versionOf(node) };
  await scope.opened.graph.unforget(node.id, scope.actor);
  announceSkill(context, dataOf(node));
  return { action: 'restored', name, version: versionOf(node) };
}

const verbs: Record<Outcome['action'], string> = {
  saved: 'Saved',
  updated: 'Saved as a new version of',
  unchanged: 'Nothing has changed in',
  restored: 'Restored',
  deleted: 'Deleted',
  counted: 'Recorded a use of',
};

function renderOutcome(result: Outcome): string {
  const { action, name, version, redacted = 0 } = result;
  const lines = [`${verbs[action]} skill ${name}, version ${version}.`];
  if (action === 'counted') lines.push(describeUses(result));
  if (action === 'deleted') lines.push('Undo: skill_save with mode "restore".');
  if (redacted > 0) lines.push(`${countOf(redacted, 'secret was', 'secrets were')} redacted.`);
  return lines.join('\n');
}

function describeUses({ uses = 0, succeeded = 0, failed = 0 }: Outcome): string {
  return `Used ${countOf(uses, 'time')}: ${succeeded} succeeded, ${failed} failed.`;
}

function showOutcome(result: Outcome, { bold, dim, width }: Style): string {
  const { action, name, version, redacted = 0 } = result;
  const facts = [
    `version ${version}`,
    action === 'counted' ? describeUses(result) : undefined,
    redacted > 0 ? `${countOf(redacted, 'secret was', 'secrets were')} redacted` : undefined,
  ];
  return [bold(`${verbs[action]} ${name}`), ...joinFacts(facts, width - 2).map((line) => `  ${dim(line)}`)].join('\n');
}
