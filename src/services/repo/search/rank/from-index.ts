// Evidence from the index: by the words of files and definitions, by defined names, and by meaning.

import { withPaths } from '../../../../graph/derived/paths.ts';
import { findNames } from '../../../../graph/derived/read.ts';
import type { Scope } from '../../../../graph/project/scope.ts';
import type { Evidence } from './features.ts';
import { Paths } from './paths.ts';
import type { CodeQuestion } from './question.ts';
import { isTest } from './source.ts';

/** A definition that fits, and how well. */
export interface PartFound {
  start: number;
  end: number;
  name: string;
  score: number;
}

export interface Gathered {
  evidence: Evidence;
  /** By file, best first. */
  parts: ReadonlyMap<number, readonly PartFound[]>;
}

const filesWeighed = 200;
const partsWeighed = 200;

export async function gatherFromIndex(scope: Scope, question: CodeQuestion): Promise<Gathered> {
  const { opened, project } = scope;
  const projects = [project.tree];
  const sets = [question.terms, question.titleTerms];
  const names = question.mentions.names.map(({ name }) => name);
  const [paths, files, symbols, named] = await Promise.all([
    withPaths(opened, project.tree, (all) => new Paths(all)),
    opened.graph.weigh({ scope: { projects, kinds: ['file'] }, sets, limit: filesWeighed }),
    opened.graph.weigh({ scope: { projects, kinds: ['symbol'] }, sets: [question.headTerms], limit: partsWeighed }),
    findNames(opened, project.tree, names),
  ]);
  const words = new Map<number, number>();
  const titleWords = new Map<number, number>();
  for (const { data, scores } of files) {
    const at = paths.placeOf(String(data.path));
    if (at === undefined) continue;
    words.set(at, scores[0] ?? 0);
    titleWords.set(at, scores[1] ?? 0);
  }
  const parts = new Map<number, PartFound[]>();
  for (const { data, scores } of symbols) {
    const at = paths.placeOf(String(data.path));
    if (at === undefined) continue;
    const { start, end, qualified } = data as { start: number; end: number; qualified: string };
    push(parts, at, { start, end, name: qualified, score: scores[0] ?? 0 });
  }
  for (const own of parts.values()) own.sort((a, b) => b.score - a.score);
  const definitions = new Map<string, number[]>();
  const asked = new Set(names);
  for (const { name, path } of named) {
    const at = paths.placeOf(path);
    // The table of names ignores case, but queries do not. Definitions in tests do not count.
    if (at === undefined || !asked.has(name) || isTest(path)) continue;
    if (!definitions.get(name)?.includes(at)) push(definitions, name, at);
  }
  const partScores = new Map([...parts].map(([at, own]) => [at, own[0]?.score ?? 0]));
  return { parts, evidence: { paths, words, titleWords, parts: partScores, definitions } };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
