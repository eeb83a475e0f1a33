// Finds the checkpoint that a caller names by id or by name; of several with the same name, the newest.
import { LoreError } from '../../../core/error.ts';
import { quoteAsData } from '../../../core/text/fence.ts';
import type { Node } from '../../../graph/node.ts';
import { getOwn, type Scope } from '../../../graph/project/scope.ts';
import { looksLikeId } from '../../../graph/resolve-id.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import { checkpointKind, dataOf } from './checkpoint.ts';

const pageSize = 500;
const maxCandidates = 5;

export async function findCheckpoint(scope: Scope, given: string): Promise<Node> {
  const named = given.startsWith('cp_') ? undefined : await findNamed(scope, given);
  if (!named && !looksLikeId(given)) {
    throw new LoreError('not_found', `Cannot resume "${given}": no checkpoint has this id or name`, {
      hint: 'checkpoint_list shows the names, checkpoint_search finds one by subject.',
    });
  }
  const node = await getOwn(scope, named?.id ?? given, 'resume');
  if (node.kind === checkpointKind) return node;
  throw new LoreError('not_found', `Cannot resume "${given}": it is a ${node.kind}, not a checkpoint`);
}

/** An exact name takes precedence over a prefix, and a prefix over a substring. */
async function findNamed({ opened, projects }: Scope, given: string): Promise<Titled | undefined> {
  const wanted = fold(given);
  /** The newest of each name. */
  const partial = new Map<string, Titled>();
  const now = opened.graph.now();
  for (let before: Titled | undefined; ; ) {
    const asked = { projects, kind: checkpointKind, limit: pageSize, now, before };
    const page = await listTitled(opened.store, asked);
    for (const node of page) {
      const name = fold(dataOf(node).name);
      if (name === wanted) return node;
      if (name.includes(wanted) && !partial.has(name)) partial.set(name, node);
    }
    before = page.at(-1);
    if (page.length < pageSize) break;
  }
  const begun = [...partial].filter(([name]) => name.startsWith(wanted));
  const found = (begun.length > 0 ? begun : [...partial]).map(([, node]) => node);
  if (found.length > 1) throw ambiguousError(given, found);
  return found[0];
}

function ambiguousError(given: string, found: readonly Titled[]): LoreError {
  const names = found.slice(0, maxCandidates).map((node) => `${quoteAsData(dataOf(node).name)} (${node.id})`);
  return new LoreError('invalid_input', `Cannot resume "${given}": ${found.length} checkpoints match this name`, {
    hint: `Give the whole name or the id: ${names.join('; ')}`,
    details: { path: 'arguments.id', expected: 'one checkpoint', received: given },
  });
}

function fold(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
