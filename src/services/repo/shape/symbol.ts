// Collects the data of repo_symbol from the edges of a symbol and of its file.
import { findAbout } from '../../../graph/derived/maintain.ts';
import { type DerivedName, findNames, readIndexState } from '../../../graph/derived/read.ts';
import { nameEntity } from '../../../graph/entity/mention.ts';
import { streamGit } from '../../../graph/git/git.ts';
import type { Node } from '../../../graph/node.ts';
import { type WalkedEdge, walkFrom } from '../../../graph/walk.ts';
import type { OpenTree } from '../context.ts';
import { isTestPath } from '../index/link/path-index.ts';
import { nameFile } from '../index/names.ts';
import { noteIndex, notIndexedError } from './index-note.ts';
import { fitsName, lastName } from './symbol-range.ts';
import type { SymbolAnswer } from './symbol-tool.ts';

const mostShown = 20;
const mostMemories = 5;
const longestMemory = 600;

export async function describeSymbol(place: OpenTree, asked: string): Promise<SymbolAnswer | undefined> {
  const { opened, project, projects } = place.scope;
  const { tree } = project;
  const state = await readIndexState(opened, tree);
  if (state.state === 'none') throw notIndexedError(`look up symbol "${asked}"`, place.name);
  const [meant, others] = await choose(place, asked);
  const node = meant && (await opened.graph.get(meant.id));
  if (!meant || !node) return undefined;
  const file = nameFile(tree, meant.path);
  const { steps } = await walkFrom(opened.store, [meant.id], 1, 2_000);
  const around = await walkFrom(opened.store, [file], 1, 2_000);
  const ends = new Map<string, Node>();
  const wanted = [...steps, ...around.steps].flatMap(({ from, to }) => [from, to]).concat(others.map(({ id }) => id));
  for (const one of await opened.graph.getAll([...new Set(wanted)].slice(0, 1_000))) ends.set(one.id, one);
  const to = (list: readonly WalkedEdge[], kinds: readonly string[], id: string) =>
    list.filter((step) => step.to === id && kinds.includes(step.kind)).flatMap((step) => ends.get(step.from) ?? []);
  const from = (list: readonly WalkedEdge[], kinds: readonly string[], id: string) =>
    list.filter((step) => step.from === id && kinds.includes(step.kind)).flatMap((step) => ends.get(step.to) ?? []);
  const users = to(steps, ['calls', 'references'], meant.id);
  const tests = [...to(steps, ['tests'], meant.id), ...users.filter(({ data }) => isTestPath(String(data.path)))];
  const together = around.steps
    .filter(({ kind }) => kind === 'changed-with')
    .map((step) => (step.from === file ? step.to : step.from));
  const entities = to(around.steps, ['is'], file).map(({ id }) => id);
  return {
    name: meant.qualified,
    kind: meant.kind,
    path: meant.path,
    start: Number(node.data.start),
    end: Number(node.data.end),
    signature: node.text,
    others: others
      .flatMap(({ id }) => ends.get(id) ?? [])
      .slice(0, mostShown)
      .map(({ data }) => `${data.path}:${data.start}`),
    callers: orderCallers(users.filter(({ data }) => !isTestPath(String(data.path))))
      .slice(0, mostShown)
      .map(viewPlace),
    callees: from(steps, ['calls'], meant.id).slice(0, mostShown).map(viewPlace),
    tests: pathsOf(tests.length > 0 ? tests : to(around.steps, ['tests'], file)),
    documents: pathsOf([...from(steps, ['documented-in'], meant.id), ...from(around.steps, ['documented-in'], file)]),
    changed_with: pathsOf(together.flatMap((id) => ends.get(id) ?? [])),
    history: await readHistory(place.root, meant.path),
    memories: await readMemories(place, [meant.id, ...entities, ...nameMentions(projects, meant)], [file]),
    index: noteIndex(state),
  };
}

/** The most likely first: of several, the most used. */
async function choose({ scope }: OpenTree, asked: string): Promise<[DerivedName | undefined, DerivedName[]]> {
  const [, path, name = asked] = /^([^#]+\.\w+)#(.+)$/.exec(asked) ?? [];
  const names = await findNames(scope.opened, scope.project.tree, [lastName(name)]);
  const fitting = names.filter((one) => fitsName(one, name) && (path === undefined || one.path === path));
  const found = fitting.length > 0 ? fitting : path === undefined ? names : [];
  const nodes = await scope.opened.graph.getAll(found.slice(0, 200).map(({ id }) => id));
  const weight = new Map(nodes.map(({ id, importance }) => [id, importance]));
  const order = (one: DerivedName) => (weight.get(one.id) ?? 0) - (isTestPath(one.path) ? 1 : 0);
  const [first, ...rest] = [...found].sort((a, b) => order(b) - order(a) || (a.path < b.path ? -1 : 1));
  return [first, rest.slice(0, mostShown)];
}

/** Definitions first; a file that only imports the symbol is listed if none of its definitions is. */
function orderCallers(users: readonly Node[]): Node[] {
  const inside = users.filter(({ data }) => data.qualified !== undefined);
  const paths = new Set(inside.map(({ data }) => data.path));
  return [...inside, ...users.filter(({ data }) => data.qualified === undefined && !paths.has(data.path))];
}

function viewPlace({ title, data }: Node) {
  return {
    name: String(data.qualified ?? data.path ?? title),
    path: String(data.path ?? ''),
    line: Number(data.start ?? 1),
  };
}

function pathsOf(nodes: readonly Node[]): string[] {
  return [...new Set(nodes.map(({ data }) => String(data.path)))].slice(0, mostShown);
}

/** The names under which texts mention it. */
function nameMentions(projects: readonly string[], { name, qualified }: DerivedName): string[] {
  const names = [...new Set([name, qualified, `${name}()`])];
  return projects.flatMap((project) => names.map((one) => nameEntity(project, 'symbol', one)));
}

/** First memories about the symbol, then about its file. */
async function readMemories(
  { scope: { opened, projects } }: OpenTree,
  near: readonly string[],
  far: readonly string[],
) {
  const ids = [
    ...(await findAbout(opened.store, near, mostMemories)),
    ...(await findAbout(opened.store, far, mostMemories)),
  ];
  const nodes = await opened.graph.getAll([...new Set(ids)]);
  const own = nodes.filter((node) => projects.includes(node.project)).slice(0, mostMemories);
  return own.map(({ id, title, text }) => ({
    id,
    text: (title === '' ? text : `${title}\n${text}`).slice(0, longestMemory),
  }));
}

/** Empty outside git. */
async function readHistory(root: string, path: string): Promise<SymbolAnswer['history']> {
  const args = ['log', '--max-count=5', '--no-merges', '--format=%h%x09%cs%x09%s', '--', path];
  try {
    let output = '';
    for await (const part of streamGit(root, args, { silenceMs: 3_000, maxBytes: 1 << 16 })) output += part;
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll('\t', ' ').slice(0, 200));
  } catch {
    return [];
  }
}
