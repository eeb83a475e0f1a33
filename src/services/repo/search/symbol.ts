// Definitions by name: from the index, or before there is one by how definitions are written.
import { completeNames, findNames } from '../../../graph/derived/read.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { searchExact } from './exact/exact.ts';
import type { Where } from './exact/with-ripgrep.ts';
import { type FileFound, groupHits } from './group.ts';

export interface SymbolQuery {
  name: string;
  caseSensitive: boolean;
  where: Where;
  extensions: readonly string[];
  scope: Scope | undefined;
}

const mostFound = 500;

export async function searchSymbol(query: SymbolQuery): Promise<FileFound[]> {
  const { scope, where, extensions } = query;
  if (!scope) return searchDefinitions(query);
  const within = where.path === '' ? '' : `${where.path}/`;
  const fits = (path: string) =>
    (path.startsWith(within) || path === where.path) &&
    (extensions.length === 0 || extensions.some((one) => path.toLowerCase().endsWith(`.${one}`)));
  const found = (await lookUp(scope, query.name, query.caseSensitive)).filter(({ path }) => fits(path));
  const nodes = await scope.opened.graph.getAll(found.slice(0, mostFound).map(({ id }) => id));
  const files = new Map<string, FileFound>();
  for (const { text, data } of nodes) {
    const { path, start, end, qualified } = data as { path: string; start: number; end: number; qualified: string };
    const file = files.get(path) ?? { path, places: [] };
    files.set(path, file);
    file.places.push({ start, end, text: text.split('\n')[0] ?? '', symbol: qualified });
  }
  for (const { places } of files.values()) places.sort((a, b) => a.start - b.start);
  return [...files.values()];
}

/** Exactly that name; else names with that prefix. `A.b` is b of A. */
async function lookUp({ opened, project }: Scope, asked: string, caseSensitive: boolean) {
  const parts = asked.split(/\.|::|#/);
  const name = parts.at(-1) as string;
  const owner = parts.slice(0, -1).join('.');
  const isMeant = (one: { name: string; qualified: string }) =>
    (!caseSensitive || one.name === name) &&
    (owner === '' ||
      `.${one.qualified.replaceAll('::', '.')}`.toLowerCase().endsWith(`.${owner}.${name}`.toLowerCase()));
  const exact = (await findNames(opened, project.tree, [name])).filter(isMeant);
  if (exact.length > 0) return exact.sort((a, b) => Number(b.name === name) - Number(a.name === name) || order(a, b));
  if (owner !== '') return [];
  const names = await completeNames(opened, project.tree, name, 50);
  return (await findNames(opened, project.tree, names)).sort(order);
}

function order(a: { name: string; path: string }, b: { name: string; path: string }): number {
  return a.name.length - b.name.length || (a.path < b.path ? -1 : 1);
}

/** Keywords before the name in a definition, in any language. */
const keywords =
  'def|class|function|func|fn|fun|interface|type|struct|enum|trait|impl|module|mod|namespace|record|object|protocol|macro_rules!|const|let|var|val|#\\s*define|typedef|union|package|extension';

async function searchDefinitions({ name: asked, caseSensitive, where, extensions }: SymbolQuery): Promise<FileFound[]> {
  const name = (asked.split(/\.|::|#/).at(-1) as string).replace(/[$.?*+^()[\]{}|\\]/g, '\\$&');
  const receiver = '(?:\\([^)]*\\)\\s*)?';
  const pattern = [
    `\\b(?:${keywords})\\s+${receiver}(?:self\\.|[\\w$]+(?:\\.|::))?\\*?&?${name}\\b`,
    `^\\s*(?:[\\w$.]+\\.)?${name}\\s*[=:]\\s*(?:async\\s*)?(?:function\\b|\\(|[\\w$]+\\s*=>)`,
    `^\\s+(?:(?:public|private|protected|static|async|override|readonly|final|abstract|virtual|get|set)\\s+)*(?:[\\w<>\\[\\],.?]+\\s+)?${name}\\s*(?:<[^>]*>)?\\([^;]*\\)?[^;]*\\{\\s*$`,
    `^(?:[A-Za-z_][\\w\\s*&]*?[\\s*&])${name}\\s*\\([^;]*$`,
  ].join('|');
  const query = { pattern, isRegex: true, caseSensitive, context: 0, extensions };
  const files = groupHits((await searchExact(query, where)).hits, false);
  for (const { places } of files) for (const place of places) place.symbol = asked;
  return files;
}
