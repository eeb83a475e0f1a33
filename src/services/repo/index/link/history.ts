// Edges that no file states: files that git's history changed together, and files that memories mention.
import type { Deriving, PlainEdge } from '../../../../graph/derived/derived.ts';
import { listEntities, replaceKind } from '../../../../graph/derived/maintain.ts';
import { streamGit } from '../../../../graph/git/git.ts';
import { nameFile } from '../names.ts';
import { createPathIndex } from './path-index.ts';

const commits = 1_000;
/** A commit that changes more is a move or a format, and says nothing about any two of its files. */
const mostTogether = 15;
const leastTimes = 3;
const mostOfOne = 5;

/** Files outside git have no history; that is not a failure. */
export async function linkHistory(deriving: Deriving, root: string, paths: ReadonlySet<string>): Promise<void> {
  const pairs = await countPairs(root, paths).catch(() => new Map<string, number>());
  const kept = new Map<string, number>();
  const edges: PlainEdge[] = [];
  for (const [pair, times] of [...pairs].sort((a, b) => b[1] - a[1])) {
    if (times < leastTimes) break;
    const [from, to] = pair.split('\0') as [string, string];
    const own = [kept.get(from) ?? 0, kept.get(to) ?? 0] as const;
    if (Math.max(...own) >= mostOfOne) continue;
    kept.set(from, own[0] + 1);
    kept.set(to, own[1] + 1);
    const [first, second] = [nameFile(deriving.project, from), nameFile(deriving.project, to)];
    edges.push({ from: first, kind: 'changed-with', to: second, weight: Math.min(1, times / 20) });
  }
  const files = [...paths].map((path) => nameFile(deriving.project, path));
  await replaceKind(deriving, 'changed-with', files, edges);
}

async function countPairs(root: string, paths: ReadonlySet<string>): Promise<Map<string, number>> {
  const pairs = new Map<string, number>();
  const count = (files: readonly string[]) => {
    if (files.length < 2 || files.length > mostTogether) return;
    const sorted = files.filter((path) => paths.has(path)).sort();
    for (const [at, from] of sorted.entries()) {
      for (const to of sorted.slice(at + 1)) pairs.set(`${from}\0${to}`, (pairs.get(`${from}\0${to}`) ?? 0) + 1);
    }
  };
  const args = [
    'log',
    `--max-count=${commits}`,
    '--no-merges',
    '--no-renames',
    '--name-only',
    '-z',
    '--relative',
    '--format=%x01',
  ];
  let rest = '';
  for await (const part of streamGit(root, args, { silenceMs: 10_000, maxBytes: 1 << 26 })) {
    const pieces = (rest + part).split('\x01');
    rest = pieces.pop() as string;
    for (const piece of pieces) count(readNames(piece));
  }
  count(readNames(rest));
  return pairs;
}

const readNames = (piece: string) => piece.split(/[\0\n]/).filter((name) => name !== '');

/** What memories mention as a file is that file, where it is clear which. */
export async function linkEntities(deriving: Deriving, paths: Iterable<string>): Promise<void> {
  const mentioned = await listEntities(deriving, 'file');
  if (mentioned.length === 0) return;
  const index = createPathIndex(paths);
  const edges = mentioned.flatMap(({ id, name }): PlainEdge[] => {
    const path = name.replace(/^\.?\//, '').replace(/[:#].*$/, '');
    const file = index.has(path) ? path : index.endingWith(path, '');
    return file === undefined ? [] : [{ from: id, kind: 'is', to: nameFile(deriving.project, file) }];
  });
  await replaceKind(
    deriving,
    'is',
    mentioned.map(({ id }) => id),
    edges,
  );
}
