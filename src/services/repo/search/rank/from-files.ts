// The same evidence without an index: ripgrep counts the question's rarest-looking terms in all files, and the files that
// have most of them are taken apart. Rougher than an index, but there at once.

import { walkTree } from '../../../../files/tree.ts';
import { inverseFrequency, scoreTerm } from '../../../../graph/words.ts';
import { runRipgrep } from '../exact/ripgrep.ts';
import { tryRipgrep } from '../exact/try-ripgrep.ts';
import { commonArguments, readName, type Where } from '../exact/with-ripgrep.ts';
import type { Gathered, PartFound } from './from-index.ts';
import { type Part, takeApart } from './parts.ts';
import { Paths } from './paths.ts';
import type { CodeQuestion } from './question.ts';
import { readText } from './text.ts';

const mostFiles = 50_000;
const mostTerms = 24;
const takenApart = 40;
/** Milliseconds for that. */
const longest = 2_000;
/** Lines of one file that are counted. */
const mostLines = 200;

export async function gatherFromFiles(
  where: Where,
  extensions: readonly string[],
  question: CodeQuestion,
): Promise<Gathered> {
  const paths = new Paths(await listPaths(where, extensions));
  const terms = chooseTerms(question);
  const counts = await countTerms(where, extensions, terms, paths);
  const words = score(counts, question.terms, paths.all.length);
  const titleWords = score(counts, question.titleTerms, paths.all.length);
  const near = new Map(words);
  for (const mention of question.mentions.paths) for (const [at] of paths.matchPath(mention)) near.set(at, 1_000);
  const best = [...near].sort((a, b) => b[1] - a[1]).slice(0, takenApart);
  const asked = new Set(question.terms.keys());
  const apart: { at: number; part: Part }[] = [];
  const begun = performance.now();
  for (const [at] of best) {
    where.signal.throwIfAborted();
    if (performance.now() - begun > longest) break;
    const { path } = paths.all[at] as { path: string };
    const text = await readText(where.root, path);
    if (text !== undefined) for (const part of takeApart(path, text, asked)) apart.push({ at, part });
  }
  const parts = group(apart, scoreParts(apart, question.headTerms));
  const definitions = new Map<string, number[]>();
  const names = new Set(question.mentions.names.map(({ name }) => name));
  for (const { at, part } of apart) {
    if (!names.has(part.name)) continue;
    const known = definitions.get(part.name);
    if (!known) definitions.set(part.name, [at]);
    else if (!known.includes(at)) known.push(at);
  }
  const partScores = new Map([...parts].map(([at, own]) => [at, own[0]?.score ?? 0]));
  return { parts, evidence: { paths, words, titleWords, parts: partScores, definitions } };
}

function listPaths(where: Where, extensions: readonly string[]): Promise<string[]> {
  const list = (program: string, signal: AbortSignal) => listWithRipgrep(program, { ...where, signal }, extensions);
  return tryRipgrep(where, list, () => listByWalking(where));
}

async function listWithRipgrep(program: string, { root, path, signal }: Where, extensions: readonly string[]) {
  const args = ['--files', '--null', ...commonArguments(root, extensions), '--', `./${path}`];
  let rest = '';
  // Names end with NUL, so that a newline in a name is part of it.
  await runRipgrep(program, args, { folder: root, signal }, (lines) => {
    rest += `${lines.join('\n')}\n`;
    return rest.length < mostFiles * 100;
  });
  const names = rest.split('\0').filter((name) => name.length > 2);
  return names.slice(0, mostFiles).map(readName);
}

async function listByWalking({ root, path, signal }: Where): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of walkTree(root, { from: path, measure: false, signal })) {
    if (!entry.isFolder) found.push(entry.path);
    if (found.length >= mostFiles) break;
  }
  return found;
}

/** Terms of the title first, then the longest: without an index their frequency is unknown. */
function chooseTerms({ terms, titleTerms }: CodeQuestion): string[] {
  const plain = (term: string) => /^[a-z0-9_]{3,40}$/.test(term);
  const rest = [...terms.keys()].filter((term) => !titleTerms.has(term) && plain(term));
  const own = [...titleTerms.keys()].filter(plain);
  return [...own, ...rest.sort((a, b) => b.length - a.length)].slice(0, mostTerms);
}

/** By term, by file. */
type Counts = Map<string, Map<number, number>>;

async function countTerms(
  where: Where,
  extensions: readonly string[],
  terms: readonly string[],
  paths: Paths,
): Promise<Counts> {
  if (terms.length === 0) return new Map();
  const count = (program: string, signal: AbortSignal) =>
    countWithRipgrep(program, { ...where, signal }, extensions, terms, paths);
  return tryRipgrep(where, count, async () => new Map());
}

async function countWithRipgrep(
  program: string,
  { root, path, signal }: Where,
  extensions: readonly string[],
  terms: readonly string[],
  paths: Paths,
): Promise<Counts> {
  const counts: Counts = new Map();
  // A stem is the beginning of its words, but for the last letter of some.
  const roots = new Map(terms.map((term) => [term.length > 4 ? term.replace(/i$/, '') : term, term]));
  const args = [
    '--only-matching',
    '--no-line-number',
    '--with-filename',
    '--null',
    '--no-heading',
    '--color=never',
    '--ignore-case',
    '--fixed-strings',
    `--max-count=${mostLines}`,
    ...commonArguments(root, extensions),
    ...[...roots.keys()].flatMap((root) => ['-e', root]),
    '--',
    `./${path}`,
  ];
  await runRipgrep(program, args, { folder: root, signal }, (lines) => {
    for (const line of lines) {
      const end = line.indexOf('\0');
      const term = roots.get(line.slice(end + 1).toLowerCase());
      const at = paths.placeOf(readName(line.slice(0, end)));
      if (end < 0 || term === undefined || at === undefined) continue;
      const own = counts.get(term) ?? new Map<number, number>();
      counts.set(term, own);
      own.set(at, (own.get(at) ?? 0) + 1);
    }
    return true;
  });
  return counts;
}

/** How long files are is not known: all count as of the usual length. */
function score(
  counts: ReadonlyMap<string, ReadonlyMap<number, number>>,
  weights: ReadonlyMap<string, number>,
  files: number,
) {
  const scores = new Map<number, number>();
  for (const [term, own] of counts) {
    const weight = weights.get(term);
    if (weight === undefined) continue;
    const worth = weight * inverseFrequency(files, own.size);
    for (const [at, count] of own) scores.set(at, (scores.get(at) ?? 0) + scoreTerm(count, 1, 1, worth));
  }
  return scores;
}

function scoreParts(apart: readonly { part: Part }[], weights: ReadonlyMap<string, number>): number[] {
  const average = Math.max(1, apart.reduce((sum, { part }) => sum + part.length, 0) / Math.max(1, apart.length));
  const having = new Map<string, number>();
  for (const { part } of apart) for (const term of part.counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
  return apart.map(({ part }) => {
    let sum = 0;
    for (const [term, count] of part.counts) {
      const weight = weights.get(term);
      if (weight === undefined) continue;
      sum += scoreTerm(count, part.length, average, weight * inverseFrequency(apart.length, having.get(term) ?? 0));
    }
    return sum;
  });
}

function group(apart: readonly { at: number; part: Part }[], scores: readonly number[]): Map<number, PartFound[]> {
  const grouped = new Map<number, PartFound[]>();
  for (const [index, { at, part }] of apart.entries()) {
    const own = grouped.get(at) ?? [];
    grouped.set(at, own);
    const { name, start, end } = part;
    if ((scores[index] as number) > 0) own.push({ name, start, end, score: scores[index] as number });
  }
  for (const own of grouped.values()) own.sort((a, b) => b.score - a.score);
  return grouped;
}
