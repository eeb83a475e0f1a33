// A collection: a node in the caller's project. Its documents and chunks are in a separate part of the graph under the
// collection's id, so that each collection has its own index and no other search sees it.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { didYouMean } from '../../../core/text/similar-names.ts';
import { isCurrent, type Node } from '../../../graph/node.ts';
import { nameNode, type Scope } from '../../../graph/project/scope.ts';

export const collectionKind = 'collection';
export const mostCollections = 200;

/** The argument that names a collection. */
export const collectionName = s.string({ min: 1, max: 100 });

const probed = 8;

interface Named {
  /** The current one. */
  current: Node | undefined;
  /** The latest, even if it was deleted. */
  last: Node | undefined;
  /** The id of the next one of this name. */
  next: string;
}

/** In the caller's own project, or else in one merged into it. */
export async function findNamed(scope: Scope, name: string): Promise<Named> {
  const [own, ...merged] = await Promise.all(scope.projects.map((project) => findIn(scope, project, name)));
  const other = merged.find(({ current }) => current !== undefined);
  return own?.current === undefined && other ? other : (own as Named);
}

/** A collection created after another of its name was deleted is empty and gets the next number. */
async function findIn({ opened }: Scope, project: string, name: string): Promise<Named> {
  const id = (number: number) => nameNode('col', project, name, String(number));
  let last: Node | undefined;
  for (let first = 0; ; first += probed) {
    const ids = Array.from({ length: probed }, (_, at) => id(first + at));
    const found = await opened.graph.getAll(ids);
    last = found.at(-1) ?? last;
    if (found.length === probed) continue;
    const current = last && isCurrent(last, opened.graph.now()) ? last : undefined;
    return { current, last, next: id(first + found.length) };
  }
}

export async function getCollection(scope: Scope, name: string, action: string): Promise<Node> {
  const { current } = await findNamed(scope, name);
  if (current) return current;
  throw await unknownCollectionError(scope, name, action);
}

export async function unknownCollectionError(scope: Scope, name: string, action: string): Promise<LoreError> {
  const titles = (await listCollections(scope)).map(({ title }) => title);
  return new LoreError('not_found', `Cannot ${action} collection "${name}": there is no collection of this name`, {
    hint:
      titles.length === 0
        ? 'There are no collections yet; create one with collection_create.'
        : (didYouMean(name, titles) ?? `There are ${titles.map((title) => `"${title}"`).join(', ')}.`),
    details: { path: 'arguments.collection_name', expected: 'the name of a collection', received: name },
  });
}

/** The newest first. */
export async function listCollections({ opened, projects }: Scope): Promise<Node[]> {
  const all = await opened.graph.recent(projects, [collectionKind], mostCollections);
  const rank = ({ project }: Node) => projects.indexOf(project);
  // Merged projects may each have one of the same name: the result of `findNamed` takes precedence.
  return all.filter((one) => !all.some((other) => other.title === one.title && rank(other) < rank(one)));
}

export function checkName(name: string): void {
  if (name === name.trim() && !/\p{Cc}|\p{Cf}/u.test(name)) return;
  throw new LoreError('invalid_input', `Cannot create collection ${JSON.stringify(name)}: it is not a valid name`, {
    details: {
      path: 'arguments.collection_name',
      expected: 'a name without leading or trailing spaces and without control characters',
      received: JSON.stringify(name),
    },
  });
}
