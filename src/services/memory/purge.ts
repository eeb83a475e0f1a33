// memory_purge: a person deletes entries permanently. A background job that any process can finish does it, so that a crash
// leaves nothing behind. The audit log records the ids, never the text.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { countOf } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import type { OpenGraph } from '../../graph/open.ts';
import { isOver } from '../../graph/operation/follow.ts';
import type { Work } from '../../graph/operation/worker.ts';
import { getOwn, type Scope } from '../../graph/project/scope.ts';
import { type Purge, purgeKind } from '../../graph/purge/job.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import type { MemoryContext } from './context.ts';
import { purgeableKinds } from './kinds.ts';

const mostAtOnce = 500;

const outcome = s.object({
  operations: s.list(s.string(), { description: 'Jobs to wait for; the last one is new' }),
  entries: s.list(s.object({ id: s.string(), kind: s.string() })),
});

export function createPurgeTool(context: MemoryContext) {
  return defineTool({
    name: 'memory_purge',
    title: 'Purge entries',
    description:
      'Delete entries permanently, with their history, from the database and its backups; or only their earlier texts. Without ids, finish earlier purges that failed.',
    effect: 'destroy',
    scope: 'person',
    audited: ({ entries }: s.Infer<typeof outcome>) => ({ entries }),
    input: s.object({
      ids: s.withDefault(s.list(idArgument, { max: mostAtOnce }), []),
      earlier_ids: s.withDefault(s.list(idArgument, { max: mostAtOnce }), []),
    }),
    output: outcome,
    async run({ ids, earlier_ids: earlier }, call) {
      const scope = await context.open(call);
      const { operations, worker } = scope.opened;
      const whole = await readAll(scope, ids);
      const past = await readAll(scope, earlier);
      const before = await operations.unfinished(scope.projects, purgeKind);
      const left = whole.length + past.length === 0 ? before.map(({ input }) => input as Purge) : [];
      const input: Purge = {
        ids: [...left.flatMap((purge) => purge.ids), ...whole.map(({ id }) => id)],
        earlier: [...left.flatMap((purge) => purge.earlier), ...past.map(({ id }) => id)],
        projects: [
          ...new Set([
            ...scope.projects,
            ...left.flatMap(({ projects }) => projects),
            ...projectsOf([...whole, ...past]),
          ]),
        ],
      };
      const { id } = await operations.add(purgeKind, scope.project.id, input);
      worker.wake();
      context.changed(...input.ids, ...input.earlier);
      const open = before.filter((operation) => !isOver(operation)).map((operation) => operation.id);
      return {
        operations: [...open, id],
        entries: [...whole, ...past].map(({ id: node, kind }) => ({ id: node, kind })),
      };
    },
    render: ({ entries }) => `Purging ${countOf(entries.length, 'entry', 'entries')} in the background.`,
  });
}

async function readAll(scope: Scope, ids: readonly string[]): Promise<Node[]> {
  const nodes: Node[] = [];
  for (const id of ids) nodes.push(await getOwn(scope, id, 'purge'));
  for (const node of nodes) refuseOthers(node);
  return nodes;
}

const projectsOf = (nodes: readonly Node[]) => nodes.map(({ project }) => project);

function refuseOthers({ id, kind }: Node): void {
  if (purgeableKinds.includes(kind)) return;
  throw new LoreError('invalid_input', `Cannot purge "${id}": it is a ${kind}`, {
    hint: `Only these can be purged: ${purgeableKinds.join(', ')}.`,
  });
}

/** The work of the job. */
export async function performPurge({ store }: OpenGraph, { operation, signal, report }: Work) {
  const what = operation.input as Purge;
  const [{ purge }, { purgeCopies }] = await Promise.all([
    import('../../graph/purge/purge.ts'),
    import('../../graph/purge/copies.ts'),
  ]);
  await report(0, 2, 'database');
  const erased = await purge(store, what, { signal });
  await report(1, 2, 'backups');
  const ids = [...what.ids, ...what.earlier];
  return { purged: what.ids.length, edited: what.earlier.length, ids, erased, copies: await purgeCopies(store, what) };
}
