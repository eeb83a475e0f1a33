// Whether the code that a memory cites still says so.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readLook } from '../../../files/project-file.ts';
import { walkTree } from '../../../files/tree.ts';
import type { Node } from '../../../graph/node.ts';
import { dataOf } from '../memory.ts';
import { findCitations } from './citation.ts';
import { type CheckedCitation, type CitationState, checkCitations, stateOfAll } from './citation-check.ts';
import { readSnapshot } from './citation-snapshot.ts';

/** Undefined without citations that can be checked: memories about the user belong to no folder. */
export async function stateOf(node: Node, root: string): Promise<CitationState | undefined> {
  return stateOfAll(await checkEach(node, root));
}

export async function checkEach(node: Node, root: string): Promise<CheckedCitation[]> {
  const { cited } = dataOf(node);
  if (root === '' || cited === undefined) return [];
  return checkCitations(findCitations(node.text), root, readSnapshot(cited));
}

/** Of memories whose cited files are all gone, those whose files did not just move: no file has the same content. */
export async function withoutMoved(gone: readonly Node[], root: string): Promise<Node[]> {
  const filesOf = (node: Node) => Object.values(readSnapshot(dataOf(node).cited)?.files ?? {});
  const sizes = new Set(gone.flatMap(filesOf).map(({ size }) => size));
  if (sizes.size === 0) return [...gone];
  const found = new Set<string>();
  const real = await realpath(root);
  for await (const { path, size, modified, isFolder } of walkTree(real)) {
    if (!sizes.has(size)) continue;
    const content = await readLook({ path: join(real, path), isFolder, modified, size });
    if (content) found.add(content.hash);
  }
  return gone.filter((node) => !filesOf(node).some(({ hash }) => hash !== undefined && found.has(hash)));
}
