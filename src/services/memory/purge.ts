// memory_purge: a person deletes entries permanently. It is done by a background job that any process finishes, so that a crash
// leaves nothing behind. The audit log gets the ids, never the text.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { countOf } from '../../core/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import type { OpenGraph } from '../../graph/open.ts';
import { type Purge, purgeKind } from '../../graph/purge-job.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import { getOwn } from '../../graph/scope.ts';
import type { Work } from '../../graph/worker.ts';
import type { Shelf } from './shelf.ts';

/** What people and agents write; other entries are made from files, or belong to one of these. */
const purgeable = ['memory', 'checkpoint', 'remediation', 'commit'];
const mostAtOnce = 500;

const outcome = s.object({
  operation_id: s.string(),
  entries: s.list(s.object({ id: s.string(), kind: s.string() })),
});

export function createPurgeTool(shelf: Shelf) {
  return defineTool({
    name: 'memory_purge',
    title: 'Purge entries',
    description:
      'Delete entries permanently, with their history, from the database and its backups; or only their earlier texts. Without ids, finish an earlier purge.',
    effect: 'destroy',
    scope: 'person',
    audited: ({ entries }: s.Infer<typeof outcome>) => ({ entries }),
    input: s.object({
      ids: s.list(idArgument, { max: mostAtOnce }),
      history: s.withDefault(s.boolean({ description: 'Only the texts they had before they were edited' }), false),
    }),
    output: outcome,
    async run({ ids, history }, call) {
      const scope = await shelf.open(call);
      const nodes: Node[] = [];
      for (const id of ids) nodes.push(await getOwn(scope, id, 'purge'));
      for (const node of nodes) refuseOthers(node);
      const { opened, project } = scope;
      const input: Purge = {
        ids: nodes.map(({ id }) => id),
        projects: [...new Set([project.id, ...nodes.map((node) => node.project)])],
        history,
      };
      const { id } = await opened.operations.add(purgeKind, project.id, input);
      opened.worker.wake();
      shelf.changed(...input.ids);
      return { operation_id: id, entries: nodes.map(({ id: node, kind }) => ({ id: node, kind })) };
    },
    render: ({ operation_id: id, entries }) => `Purging ${countOf(entries.length, 'entry', 'entries')} (${id}).`,
  });
}

function refuseOthers({ id, kind }: Node): void {
  if (purgeable.includes(kind)) return;
  throw new LoreError('invalid_input', `Cannot purge "${id}": it is a ${kind}`, {
    hint: `Only these can be purged: ${purgeable.join(', ')}.`,
  });
}

/** The work of the job. */
export async function performPurge({ store }: OpenGraph, { operation, signal, report }: Work) {
  const what = operation.input as Purge;
  const [{ purge }, { purgeCopies }] = await Promise.all([
    import('../../graph/purge.ts'),
    import('../../graph/purge-copies.ts'),
  ]);
  await report(0, 2, 'database');
  const erased = await purge(store, what, signal);
  await report(1, 2, 'backups');
  return { purged: what.ids.length, erased, copies: await purgeCopies(store, what) };
}
