// A query in words: the most likely files, each with its best matching places.
import type { Scope } from '../../../../graph/project/scope.ts';
import type { Where } from '../exact/with-ripgrep.ts';
import type { FileFound, PlaceFound } from '../group.ts';
import { gatherFromFiles } from './from-files.ts';
import { type Gathered, gatherFromIndex, type PartFound } from './from-index.ts';
import { recall } from './history.ts';
import { readHistory } from './past.ts';
import { readQuestion } from './question.ts';
import { rankFiles } from './rank.ts';
import { readText } from './text.ts';

export interface RankedQuery {
  text: string;
  where: Where;
  extensions: readonly string[];
  /** Undefined without an index. */
  scope: Scope | undefined;
  offset: number;
  limit: number;
}

export interface RankedPage {
  files: FileFound[];
  /** How many there are in all. */
  total: number;
}

const placesShown = 3;
const linesShown = 6;
/** A file this far behind the best is not a result. */
const farBehind = 0.15;
const mostRanked = 100;

export async function searchRanked({
  text,
  where,
  extensions,
  scope,
  offset,
  limit,
}: RankedQuery): Promise<RankedPage> {
  const question = readQuestion(text);
  const [gathered, history] = await Promise.all([
    scope ? gatherFromIndex(scope, question) : gatherFromFiles(where, extensions, question),
    readHistory(where.root),
  ]);
  const past = history && recall(history, question, gathered.evidence.paths);
  const within = where.path === '' ? '' : `${where.path}/`;
  const fits = (path: string) =>
    (path.startsWith(within) || path === where.path) &&
    (extensions.length === 0 || extensions.some((one) => path.toLowerCase().endsWith(`.${one}`)));
  const all = rankFiles(question, { ...gathered.evidence, past }).filter(({ path, score }) => score > 0 && fits(path));
  const least = (all[0]?.score ?? 0) * farBehind;
  const ranked = all.filter(({ score }) => score >= least).slice(0, mostRanked);
  const page = ranked.slice(offset, offset + limit);
  const asked = new Set(question.terms.keys());
  const files = await Promise.all(
    page.map(async ({ at, path, score }) => ({
      path,
      score: Math.round(score * 1000) / 1000,
      places: await showPlaces(where.root, path, choose(gathered, at), asked),
    })),
  );
  return { files, total: ranked.length };
}

/** The best, and others that come near it; in the order of the file. */
function choose({ parts }: Gathered, at: number): PartFound[] {
  const own = parts.get(at) ?? [];
  const best = own[0]?.score ?? 0;
  return own
    .filter(({ score }) => score >= best / 2)
    .slice(0, placesShown)
    .sort((a, b) => a.start - b.start);
}

async function showPlaces(
  root: string,
  path: string,
  parts: readonly PartFound[],
  asked: ReadonlySet<string>,
): Promise<PlaceFound[]> {
  const text = await readText(root, path);
  if (text === undefined) return [];
  const lines = text.split('\n');
  const chosen = parts.length > 0 ? parts : await findParts(path, text, asked);
  return chosen
    .filter(({ start }) => start <= lines.length)
    .map(({ start, end, name }) => ({
      start,
      end: Math.min(end, lines.length),
      text: lines
        .slice(start - 1, Math.min(end, start - 1 + linesShown))
        .map((line) => (line.length > 200 ? `${line.slice(0, 200)}…` : line.trimEnd()))
        .join('\n'),
      ...(name !== '' && { symbol: name }),
    }));
}

/** If the index has no matching definition, the file itself is searched. */
async function findParts(path: string, text: string, asked: ReadonlySet<string>): Promise<PartFound[]> {
  const { takeApart } = await import('./parts.ts');
  const [best] = takeApart(path, text, asked)
    .map(({ name, start, end, counts }) => ({ name, start, end, score: counts.size }))
    .sort((a, b) => b.score - a.score || a.start - b.start);
  return best && best.score > 0 ? [best] : [];
}
