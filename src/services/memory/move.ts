// memory_move: a person moves a memory to another project. It is stored there anew, with its provenance, and forgotten here: a node
// never changes its project, so no history, link or index entry of one project leaks into another.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import { hasKey } from '../../graph/key.ts';
import { isCurrent, type Node } from '../../graph/node.ts';
import { getOwn, nameNode, type Scope } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import type { MemoryContext } from './context.ts';
import { dataOf, viewMemory } from './memory.ts';

export function createMoveTool(context: MemoryContext) {
  return defineTool({
    name: 'memory_move',
    title: 'Move a memory',
    description: 'Move a memory to another project. Call it with undo and the same arguments to move it back.',
    effect: 'write',
    scope: 'person',
    input: s.object({
      id: idArgument,
      into: s.string({ min: 1, max: 4_096, description: 'Name, id or folder of the project' }),
      undo: s.withDefault(s.boolean(), false),
    }),
    output: s.object({
      id: s.string(),
      moved: s.string({ description: 'Its id in the other project' }),
      project: s.string({ description: 'Where it is now' }),
    }),
    async run({ id: given, into, undo }, call) {
      const from = await context.open(call);
      const target = await context.visit(call, into);
      if (target.project.id === from.project.id) {
        throw new LoreError('conflict', `Cannot move "${given}": it belongs to project "${into}" already`);
      }
      const node = await getOwn(from, given, 'move');
      const moved = undo ? await takeBack(from, node, target) : await move(from, node, target);
      from.opened.changes.report(node);
      context.changed(moved);
      const { name: project } = (undo ? from : target).project;
      return { id: node.id, moved, project };
    },
    render: ({ id, project }) => `Moved ${id} to ${project}.`,
  });
}

/** The same for the same text, so that undo finds it. */
function nameMoved({ id, hash }: Node, { project }: Scope): string {
  return nameNode('n', project.id, `${id} ${hash}`);
}

async function move(from: Scope, node: Node, target: Scope): Promise<string> {
  await refuseOthers(from, node);
  const { storeMemory } = await import('./store-memory.ts');
  const { kind, knowledge, tags, said = node.createdAt } = dataOf(node);
  const { source } = viewMemory(node, from.projects);
  const origin = describeOrigin(from, node);
  const stored = await storeMemory(target, {
    id: nameMoved(node, target),
    text: node.text,
    context: node.title,
    kind,
    knowledge,
    tags,
    importance: node.importance,
    confidence: node.confidence,
    statedAt: said,
    source: source === undefined ? origin : `${source}; ${origin}`,
    ...(node.validTo !== undefined && { expiresAt: node.validTo }),
  });
  const { graph } = from.opened;
  // It was moved before, and taken back.
  if (stored.node.forgottenAt !== undefined) await graph.unforget(stored.node.id, target.actor);
  await graph.forget(node.id, from.actor);
  return stored.node.id;
}

/** A memory of the other project that said the same before stays there. Nothing else is restored: it was forgotten for a reason. */
async function takeBack(from: Scope, node: Node, target: Scope): Promise<string> {
  const { graph } = from.opened;
  const moved = await graph.get(nameMoved(node, target));
  const there = moved ?? (await graph.getByHash(target.projects, [node.hash]));
  const sources = there ? [there.source, ...(dataOf(there).sources ?? [])] : [];
  if (
    !there ||
    there.forgottenAt !== undefined ||
    !sources.some((source) => source.endsWith(describeOrigin(from, node)))
  ) {
    throw new LoreError(
      'conflict',
      `Cannot move "${node.id}" back: it was not moved to project "${target.project.name}"`,
    );
  }
  if (node.forgottenAt !== undefined) await graph.unforget(node.id, from.actor);
  if (moved) await graph.forget(moved.id, target.actor);
  return there.id;
}

function describeOrigin({ project }: Scope, { id }: Node): string {
  return `moved from ${project.name}, ${id}`;
}

async function refuseOthers({ opened, projects }: Scope, node: Node): Promise<void> {
  const reason =
    node.kind !== 'memory'
      ? `it is a ${node.kind}`
      : !projects.includes(node.project)
        ? 'it is about the user, not about the project'
        : !isCurrent(node, opened.graph.now())
          ? 'it is forgotten, superseded or expired'
          : (await hasKey(opened, node.id))
            ? 'it has a key, by which agents of this project read it'
            : undefined;
  if (reason !== undefined) throw new LoreError('invalid_input', `Cannot move "${node.id}": ${reason}`);
}
