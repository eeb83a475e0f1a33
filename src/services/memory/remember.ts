// remember: stores one statement verbatim. It lists similar memories and leaves the decision to the caller.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { hidePrivate, privateMark } from '../../core/text/inserted.ts';
import { countOf, formatDate, hangText, joinFacts, type Style } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import { longestKey } from '../../graph/key.ts';
import type { Node } from '../../graph/node.ts';
import type { MemoryContext } from './context.ts';
import { knowledgeTypes, memoryKinds, relations } from './kinds.ts';
import { readExpiry, viewMemory } from './memory.ts';

/** A longer text is a document. */
const longest = 100_000;

const outcome = s.object({
  action: s.oneOf(['stored', 'merged', 'superseded']),
  id: s.string(),
  kind: s.string(),
  knowledge: s.string(),
  expires: s.optional(s.string()),
  superseded: s.list(s.object({ id: s.string(), text: s.string() })),
  similar: s.optional(s.list(s.object({ id: s.string(), text: s.string(), relation: s.oneOf(relations) }))),
  changed: s.optional(s.list(s.string(), { description: 'Fields that a merge changed' })),
  redacted: s.integer({ description: 'Secrets redacted before storing' }),
});

export function createRememberTool(context: MemoryContext) {
  return defineTool({
    name: 'remember',
    title: 'Remember',
    description:
      'Store one fact, rule, decision, preference or fix for all later sessions, in whole sentences. Lists similar memories; to replace some, call it again with supersedes.',
    effect: 'write',
    preloaded: true,
    core: true,
    examples: [
      ['lore remember "Deploys go out on Tuesdays."', 'one fact'],
      ['lore remember "Staging is down." --expires 12h --tags ops', 'for twelve hours'],
      ['lore remember "No emojis in commits." --user', 'about you, for every project'],
      ['lore remember "Deploys go out on Mondays." --supersedes n_mwiczb6s4', 'instead of an earlier one'],
    ],
    input: s.object({
      content: s.string({ min: 1, max: longest }),
      kind: s.optional(s.oneOf(memoryKinds, { description: 'Default: detected' })),
      knowledge: s.optional(s.oneOf(knowledgeTypes)),
      importance: s.optional(s.number({ min: 0, max: 1 })),
      tags: s.optional(s.list(s.string({ min: 1, max: 64 }), { max: 32 })),
      source: s.optional(s.string({ max: 500 })),
      session: s.optional(s.string({ max: 200 })),
      key: s.optional(s.string({ min: 1, max: longestKey, description: 'Unique name' })),
      user: s.withDefault(
        s.boolean({ description: 'About the user, for every project: "no emojis in commits"' }),
        false,
      ),
      expires: s.optional(s.string({ description: '12h, 30d, a date, or never (default)' })),
      supersedes: s.optional(
        s.list(s.string({ min: 1, max: 100 }), { max: 32, lone: true, description: 'Ids of memories this replaces' }),
      ),
    }),
    output: outcome,
    async run({ content: given, expires, user, ...rest }, call) {
      const content = hidePrivate(given);
      if (content.replaceAll(privateMark, '').trim() === '') {
        throw new LoreError('invalid_input', 'Cannot store the memory: it contains only spaces or <private> text', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces or <private> text' },
        });
      }
      const scope = await context.open(call, { user });
      const expiresAt = expires === undefined ? undefined : (readExpiry(expires, scope.opened.graph.now()) ?? 'never');
      const { storeMemory } = await import('./store-memory.ts');
      const kept = await storeMemory(scope, { text: content, ...rest, expiresAt });
      context.changed(kept.node.id, ...kept.superseded.map(({ id }) => id));
      const { id, kind, knowledge, expires: until } = viewMemory(kept.node, scope.projects);
      return {
        action: kept.action,
        id,
        kind,
        knowledge,
        ...(until !== undefined && { expires: until }),
        superseded: kept.superseded.map(excerpt),
        ...(kept.similar.length > 0 && {
          similar: kept.similar.map(({ node, relation }) => ({ ...excerpt(node), relation })),
        }),
        ...(kept.action !== 'stored' && kept.changed.length > 0 && { changed: [...kept.changed] }),
        redacted: kept.redacted,
      };
    },
    render: renderOutcome,
    show: showOutcome,
  });
}

type Outcome = s.Infer<typeof outcome>;

/** Enough to recognise a memory by. */
const excerptLength = 300;

function excerpt({ id, text }: Pick<Node, 'id' | 'text'>): { id: string; text: string } {
  return { id, text: text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text };
}

const relationWords = { repeats: 'says the same', may_disagree: 'may disagree' } as const;

function renderOutcome({ superseded, similar = [], changed = [], redacted, ...kept }: Outcome): string {
  const lines = [`${actionWords[kept.action]} as ${kept.id} (${describe(kept)}).`];
  if (changed.length > 0) lines.push(`Changed: ${changed.join(', ')}.`);
  if (redacted > 0) lines.push(`${countOf(redacted, 'secret was', 'secrets were')} redacted.`);
  const named = [
    ...superseded.map((memory) => ({ ...memory, label: 'superseded' })),
    ...similar.map(({ relation, ...memory }) => ({ ...memory, label: relationWords[relation] })),
  ];
  if (named.length > 0) lines.push(fenceAsData(named));
  if (similar.length > 0) {
    lines.push(
      `If it replaces ${similar.length === 1 ? 'that memory' : 'some of them'}, call remember again with the same content and supersedes: [ids]; if all are true, with supersedes: [].`,
    );
  }
  return lines.join('\n');
}

const actionWords = { stored: 'Stored', merged: 'Already stored', superseded: 'Stored' } as const;

function describe({ kind, knowledge, expires }: Pick<Outcome, 'kind' | 'knowledge' | 'expires'>): string {
  const sort = knowledge === 'note' ? kind : `${kind}, ${knowledge}`;
  return expires === undefined ? sort : `${sort}, until ${expires.slice(0, 16).replace('T', ' ')}`;
}

function showOutcome(
  { superseded, similar = [], changed = [], redacted, ...kept }: Outcome,
  { bold, dim, width, now }: Style,
): string {
  const { kind, knowledge, expires } = kept;
  const facts = [
    kind,
    knowledge === 'note' ? undefined : knowledge,
    expires && `until ${formatDate(expires, now)}`,
    changed.length > 0 ? `changed: ${changed.join(', ')}` : undefined,
    kept.id,
  ];
  const lines = [bold(actionWords[kept.action]), ...joinFacts(facts, width - 2).map((line) => `  ${dim(line)}`)];
  const list = (head: string, { id, text }: { id: string; text: string }) => {
    lines.push(...hangText(head, text, width), `  ${dim(id)}`);
  };
  for (const memory of superseded) list('Replaces: ', memory);
  for (const memory of similar) list(memory.relation === 'repeats' ? 'Says the same: ' : 'May disagree: ', memory);
  if (similar.length > 0) lines.push(dim('To replace one, repeat the command with --supersedes ID.'));
  if (redacted > 0) lines.push(`${countOf(redacted, 'secret was', 'secrets were')} redacted.`);
  return lines.join('\n');
}
