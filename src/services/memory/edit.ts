// memory_edit: a person corrects the text of a memory or checkpoint. Agents use `remember` when a fact changed.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { redactSoon } from '../../core/secret/redact.ts';
import { countOf } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import type { MemoryContext } from './context.ts';

const longest = 1_000_000;
const editable = ['memory', 'checkpoint'];

export function createEditTool(context: MemoryContext) {
  return defineTool({
    name: 'memory_edit',
    title: 'Edit a memory',
    description: 'Replace the text of a memory or checkpoint; the earlier text stays in its history.',
    effect: 'write',
    scope: 'person',
    input: s.object({
      id: idArgument,
      text: s.string({ min: 1, max: longest }),
      hash: s.string({ max: 100, description: 'Version that was read' }),
    }),
    output: s.object({ id: s.string(), changed: s.boolean(), redacted: s.integer() }),
    async run({ id: given, text, hash: expected }, call) {
      const scope = await context.open(call);
      const node = await getOwn(scope, given, 'edit');
      refuseOthers(node);
      const { found } = await redactSoon(text);
      const redacted = found.reduce((sum, { count }) => sum + count, 0);
      const { id } = node;
      if (text === node.text && expected === node.hash) return { id, changed: false, redacted };
      const { reviseNode } = await import('../../graph/revise.ts');
      const cited = node.kind === 'memory' ? await describeCited(text, scope.project.root) : {};
      const change = ({ cited: _, ...data }: Node['data']) => ({
        ...data,
        ...cited,
        ...(redacted > 0 && { redacted }),
      });
      await reviseNode(scope.opened, node, { text, expected, change }, scope.actor);
      scope.opened.changes.report(node);
      return { id, changed: true, redacted };
    },
    render: ({ id, changed, redacted }) =>
      [
        changed ? `Edited ${id}.` : `${id} is unchanged.`,
        ...(redacted > 0 ? [`${countOf(redacted, 'secret was', 'secrets were')} redacted.`] : []),
      ].join('\n'),
  });
}

function refuseOthers({ id, kind, text, forgottenAt }: Node): void {
  if (!editable.includes(kind)) {
    throw new LoreError('invalid_input', `Cannot edit "${id}": it is a ${kind}`, {
      hint: 'Only memories and checkpoints can be edited.',
    });
  }
  if (forgottenAt === undefined) return;
  throw new LoreError('invalid_input', `Cannot edit "${id}": it is forgotten`, {
    hint: `Restore it first: lore forget ${id} --undo`,
    details: { path: 'arguments.id', expected: 'a current entry', received: text.slice(0, 60) },
  });
}

async function describeCited(text: string, root: string): Promise<{ cited?: unknown }> {
  const { findCitations } = await import('./cite/citation.ts');
  const citations = findCitations(text);
  if (citations.length === 0 || root === '') return {};
  const { takeSnapshot } = await import('./cite/citation-snapshot.ts');
  return { cited: (await takeSnapshot(citations, root)) ?? { files: {} } };
}
