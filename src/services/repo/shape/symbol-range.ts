// The lines of a symbol from the index, if the file is unchanged since.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DerivedName, findDerived, findNames } from '../../../graph/derived/read.ts';
import type { OpenTree } from '../context.ts';
import { nameFile } from '../index/names.ts';

/** `put`, `Graph.put`, `Graph::put`, `Graph#put`. */
export function fitsName({ name, qualified }: Pick<DerivedName, 'name' | 'qualified'>, asked: string): boolean {
  const plain = asked.replace(/::|#(?=\w)/g, '.').replace(/\(\)$/, '');
  return name === plain || qualified === plain || qualified.endsWith(`.${plain}`);
}

/** The last part of a qualified name. */
export function lastName(asked: string): string {
  return (
    asked
      .replace(/\(\)$/, '')
      .split(/::|[.#](?=\w)/)
      .at(-1) ?? asked
  );
}

export async function findSymbolRange(
  { root, scope: { opened, project } }: OpenTree,
  path: string,
  symbol: string,
): Promise<{ start: number; end: number } | undefined> {
  const [file] = await findDerived(opened, [nameFile(project.tree, path)]);
  const stat = file && (await lstat(join(root, path)).catch(() => undefined));
  if (!stat || stat.mtimeMs !== file.modified || stat.size !== file.size) return undefined;
  const names = await findNames(opened, project.tree, [lastName(symbol)]);
  const found = names.filter((one) => one.path === path && fitsName(one, symbol));
  const nodes = await opened.graph.getAll(found.map(({ id }) => id));
  const ranges = nodes.map(({ data }) => ({ start: Number(data.start), end: Number(data.end) }));
  // Of several, the outermost one.
  return ranges.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)[0];
}
