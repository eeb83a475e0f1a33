// Measures localisation: every issue's candidates once, then the order that each group of signals gives them, with weights
// fitted to the tune splits alone, and the order of the weights that the product has.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature } from '../../../src/services/repo/search/rank/features.ts';
import { weights } from '../../../src/services/repo/search/rank/weights.ts';
import { findAll, findAny } from '../metrics.ts';
import { averageRow, printTable } from '../table.ts';
import { Repository } from './corpus.ts';
import { fitWeights, type Measured, orderBy, type Weights } from './fit.ts';
import { findMirror, readInstances, type Split } from './instances.ts';
import { measureInstance } from './measure.ts';

export interface Options {
  root: string;
  data: string;
  mirrors: string;
  split: Split;
  /** Where what was measured is kept for the next run. */
  keep: string | undefined;
  first: number;
}

/** Signals, each added to those before it. */
const steps: readonly (readonly [string, readonly Feature[]])[] = [
  ['words of files', ['words']],
  ['+ words of the title', ['titleWords']],
  ['+ path', ['path', 'titleName', 'aside']],
  ['+ paths and modules named', ['mentioned', 'frame', 'module']],
  ['+ definitions of names', ['defines']],
  ['+ words of definitions', ['part']],
  ['+ words of earlier changes', ['past', 'titlePast']],
];
const fittedTo: readonly Split[] = ['tune', 'tune-multilingual'];

export async function run(options: Options): Promise<void> {
  const measured = await measureSplit(options, options.split);
  if (!measured) return console.log(`Skipped: ${options.data} or the repositories in ${options.mirrors} are not there`);
  const tuned = (await Promise.all(fittedTo.map((split) => measureSplit(options, split)))).flatMap((one) => one ?? []);
  const rows = [];
  const names: Feature[] = [];
  for (const [name, added] of steps) {
    names.push(...added);
    rows.push(rate(name, measured, fitWeights(tuned, names)));
  }
  rows.push(rate("all, the product's weights", measured, weights));
  const single = measured.filter(({ gold }) => gold.length === 1);
  rows.push(rate('of these, issues of one file', single, weights));
  console.log(`\n${options.split}: Acc@k all gold files in the first k, any@k one of them\n`);
  printTable(rows);
}

function rate(name: string, measured: readonly Measured[], chosen: Weights) {
  return averageRow(
    name,
    measured.map((one) => {
      const order = orderBy(one, chosen);
      return {
        'Acc@1': findAll(order, one.gold, 1),
        'Acc@5': findAll(order, one.gold, 5),
        'Acc@10': findAll(order, one.gold, 10),
        'any@1': findAny(order, one.gold, 1),
        'any@5': findAny(order, one.gold, 5),
      };
    }),
  );
}

async function measureSplit({ data, mirrors, keep, first }: Options, split: Split): Promise<Measured[] | undefined> {
  const instances = readInstances(data, split)?.slice(0, first);
  if (!instances) return undefined;
  const file = keep === undefined ? undefined : join(keep, `${split}.json`);
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Measured[];
  const measured: Measured[] = [];
  for (const repo of new Set(instances.map((one) => one.repo))) {
    const git = findMirror(mirrors, repo);
    if (git === undefined) {
      console.log(`left out: ${repo} is not there`);
      continue;
    }
    const repository = new Repository(git);
    for (const instance of instances.filter((one) => one.repo === repo)) {
      measured.push(await measureInstance(repository, instance));
    }
    console.error(`${split}: ${measured.length} of ${instances.length}`);
  }
  if (file !== undefined && keep !== undefined) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(file, JSON.stringify(measured));
  }
  return measured.length === 0 ? undefined : measured;
}
