// remember: one thing worth knowing, kept as it was said.
import { LoreError } from '../../core/error.ts';
import { hidePrivate, privateMark } from '../../core/said.ts';
import * as s from '../../core/schema.ts';
import { countOf, hangText, joinFacts, type Style, tellTime } from '../../core/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import { knowledgeTypes, memoryKinds } from './kinds.ts';
import { readExpiry, viewMemory } from './memory.ts';
import type { Shelf } from './shelf.ts';

/** More is a document. */
const longest = 100_000;

const outcome = s.object({
  action: s.oneOf(['stored', 'merged', 'superseded']),
  id: s.string(),
  kind: s.string(),
  knowledge: s.string(),
  expires: s.optional(s.string()),
  superseded: s.list(s.object({ id: s.string(), text: s.string(), reason: s.string() })),
  redacted: s.integer({ description: 'Secrets taken out before storing' }),
});

export function createRememberTool(shelf: Shelf) {
  return defineTool({
    name: 'remember',
    title: 'Remember',
    description:
      'Keep one fact, rule, decision, preference or fix for all later sessions, in whole sentences. Says whether it was stored, merged with the same, or supersedes an older fact.',
    effect: 'write',
    input: s.object({
      content: s.string({ min: 1, max: longest }),
      kind: s.optional(s.oneOf(memoryKinds, { description: 'Default: found out; facts never expire' })),
      knowledge: s.optional(s.oneOf(knowledgeTypes)),
      importance: s.optional(s.number({ min: 0, max: 1 })),
      tags: s.optional(s.list(s.string({ min: 1, max: 64 }), { max: 32 })),
      source: s.optional(s.string({ max: 500, description: 'Where it comes from' })),
      session: s.optional(s.string({ max: 200 })),
      user: s.withDefault(
        s.boolean({ description: 'About the user, for every project: "no emojis in commits"' }),
        false,
      ),
      expires: s.optional(s.string({ description: 'never, 12h, 30d, or a date' })),
    }),
    output: outcome,
    async run({ content: given, expires, user, ...rest }, call) {
      const content = hidePrivate(given);
      if (content.replaceAll(privateMark, '').trim() === '') {
        throw new LoreError('invalid_input', 'Cannot remember it: there is nothing in it that may be kept', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces or <private> text' },
        });
      }
      const scope = await shelf.open(call, { user });
      const expiresAt = expires === undefined ? undefined : (readExpiry(expires, scope.opened.graph.now()) ?? 'never');
      const { keepMemory } = await import('./keep.ts');
      const kept = await keepMemory(scope, { text: content, ...rest, expiresAt });
      shelf.changed(kept.node.id, ...kept.superseded.map(({ node }) => node.id));
      const { id, kind, knowledge, expires: until } = viewMemory(kept.node, scope.projects);
      return {
        action: kept.action,
        id,
        kind,
        knowledge,
        ...(until !== undefined && { expires: until }),
        superseded: kept.superseded.map(({ node, reason }) => ({ id: node.id, text: node.text, reason })),
        redacted: kept.redacted,
      };
    },
    render: renderOutcome,
    show: showOutcome,
  });
}

type Outcome = s.Infer<typeof outcome>;

function renderOutcome({ superseded, redacted, ...kept }: Outcome): string {
  const lines = [`${said[kept.action]} as ${kept.id} (${describe(kept)}).`];
  for (const { id, text, reason } of superseded) lines.push(`It supersedes ${id}, since it ${reason}: ${text}`);
  if (redacted > 0) lines.push(`${redacted} ${redacted === 1 ? 'secret was' : 'secrets were'} taken out first.`);
  return lines.join('\n');
}

const said = { stored: 'Stored', merged: 'Known already', superseded: 'Stored' } as const;

function describe({ kind, knowledge, expires }: Pick<Outcome, 'kind' | 'knowledge' | 'expires'>): string {
  const sort = knowledge === 'note' ? kind : `${kind}, ${knowledge}`;
  return expires === undefined ? sort : `${sort}, until ${expires.slice(0, 16).replace('T', ' ')}`;
}

function showOutcome({ superseded, redacted, ...kept }: Outcome, { bold, dim, width, now }: Style): string {
  const { kind, knowledge, expires } = kept;
  const facts = [
    kind,
    knowledge === 'note' ? undefined : knowledge,
    expires && `until ${tellTime(expires, now)}`,
    kept.id,
  ];
  const lines = [bold(said[kept.action]), ...joinFacts(facts, width - 2).map((line) => `  ${dim(line)}`)];
  for (const { id, text, reason } of superseded) {
    lines.push(
      ...hangText('Replaces: ', text, width),
      ...joinFacts([`it ${reason}`, id], width - 2).map((line) => `  ${dim(line)}`),
    );
  }
  if (redacted > 0) lines.push(`${countOf(redacted, 'secret was', 'secrets were')} taken out first.`);
  return lines.join('\n');
}
