// Measures the mined examples once per repository, then fits the weights to them and to the tuning splits of the bench.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Repository } from '../../../bench/quality/localise/corpus.ts';
import { fitWeights, type Measured, orderBy, type Weights } from '../../../bench/quality/localise/fit.ts';
import { findMirror } from '../../../bench/quality/localise/instances.ts';
import { measureInstance } from '../../../bench/quality/localise/measure.ts';
import { findAny } from '../../../bench/quality/metrics.ts';
import { averageRow, printTable } from '../../../bench/quality/table.ts';
import { featureNames } from '../../../src/services/repo/search/rank/features.ts';
import { weights } from '../../../src/services/repo/search/rank/weights.ts';
import { mine } from './mine.ts';

export interface Options {
  root: string;
  mirrors: string;
  out: string;
  /** Where `bench/quality/localise/main.mjs --keep` has kept the tuning splits. */
  keep: string;
  write: boolean;
  gather: boolean;
}

const limits = { commits: 400, most: 60 };
/** Candidates of an example that are kept, besides the right ones. */
const mostKept = 40;
/** What each set counts in total. */
const sets = { mined: 1, tune: 1, 'tune-multilingual': 0.4 };

export async function run(options: Options): Promise<void> {
  mkdirSync(options.out, { recursive: true });
  if (options.gather) await gather(options);
  const mined = readdirSync(options.out)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(options.out, name), 'utf8')) as Measured[]);
  const kept = (split: string) => JSON.parse(readFileSync(join(options.keep, `${split}.json`), 'utf8')) as Measured[];
  const [tune, multilingual] = [kept('tune'), kept('tune-multilingual')];
  const repos = [...new Set(mined.map(({ repo }) => repo))].sort();
  const half = (at: number) => mined.filter(({ repo }) => repos.indexOf(repo) % 2 === at);
  print(`${mined.length} examples of ${repos.length} repositories\n`);
  const rows = [
    rate('mined, present weights', mined, () => weights),
    rate('multilingual, present weights', multilingual, () => weights),
    rate('multilingual, fitted to tune', multilingual, always(fitWeights(tune, featureNames))),
  ];
  for (const share of [0, 0.5, 1, 2]) {
    const fitTo = (some: Measured[]) => fitWeights([...weigh(some, share), ...weigh(tune, 1)], featureNames);
    const halves = [fitTo(half(1)), fitTo(half(0))] as const;
    const other = ({ repo }: Measured) => halves[repos.indexOf(repo) % 2 === 0 ? 0 : 1];
    rows.push(rate(`mined, other half ${share} : tune 1`, mined, other));
    rows.push(rate(`multilingual, mined ${share} : tune 1`, multilingual, always(fitTo(mined))));
  }
  printTable(rows);
  const all = [
    ...weigh(mined, sets.mined),
    ...weigh(tune, sets.tune),
    ...weigh(multilingual, sets['tune-multilingual']),
  ];
  const fitted = fitWeights(all, featureNames);
  print(JSON.stringify(fitted));
  if (options.write) writeWeights(options.root, fitted);
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const always = (chosen: Weights) => () => chosen;

function weigh(set: readonly Measured[], total: number): Measured[] {
  return set.map((one) => ({ ...one, weight: (1_000 * total) / set.length }));
}

function rate(name: string, measured: readonly Measured[], choose: (one: Measured) => Weights) {
  return averageRow(
    name,
    measured.map((one) => {
      const order = orderBy(one, choose(one));
      return { 'any@1': findAny(order, one.gold, 1), 'any@5': findAny(order, one.gold, 5) };
    }),
  );
}

async function gather({ root, mirrors, out }: Options): Promise<void> {
  for (const line of readFileSync(join(root, 'tools/rank/code/repositories.txt'), 'utf8').split('\n')) {
    const [repo = ''] = line.split(' ');
    const file = join(out, `${repo.replace('/', '+')}.json`);
    if (repo === '' || existsSync(file)) continue;
    const git = findMirror(mirrors, repo);
    if (git === undefined) {
      print(`left out: ${repo} is not there`);
      continue;
    }
    const repository = new Repository(git);
    const measured: Measured[] = [];
    for (const instance of mine(repo, git, limits)) {
      const one = await measureInstance(repository, instance);
      const candidates = one.candidates.filter(({ path }, at) => at < mostKept || one.gold.includes(path));
      measured.push({ ...one, candidates });
    }
    writeFileSync(file, JSON.stringify(measured));
    print(`${repo}: ${measured.length}`);
  }
}

function writeWeights(root: string, fitted: Weights): void {
  const lines = Object.entries(fitted).map(([name, weight]) => `  ${name}: ${weight},`);
  const text = `// Fitted: \`node tools/rank/code/main.mjs --write\` writes this file (tools/rank/code/README.md).
import type { Feature } from './features.ts';

export const weights: Readonly<Record<Feature, number>> = {
${lines.join('\n')}
};
`;
  writeFileSync(join(root, 'src/services/repo/search/rank/weights.ts'), text);
}
