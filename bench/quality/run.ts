// One run: the chosen sets of one split, printed as tables and given back as figures.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Intake } from './conversations.ts';
import { measureLocomo } from './locomo.ts';
import { readConversations } from './locomo-data.ts';
import { measureLongMemEval } from './longmemeval.ts';
import { readQuestions } from './longmemeval-data.ts';
import { measurePooled } from './pooled.ts';
import { type Measured, printTable } from './table.ts';
import { partWays, recallWays } from './ways.ts';

interface RunOptions {
  root: string;
  /** For databases; whoever calls removes it. */
  folder: string;
  keep?: string;
  split: 'tune' | 'report';
  sets: readonly string[];
  intakes: readonly Intake[];
  /** So many of LongMemEval's questions; all of them take a while. */
  first: number;
}

export async function run({
  root,
  folder,
  keep,
  split,
  sets,
  intakes,
  first,
}: RunOptions): Promise<Record<string, Measured>> {
  const data = join(root, '../shared/data');
  const place = { folder, keep: keep && join(keep, split) };
  const ways = intakes.flatMap((intake) => [recallWays[intake], ...(intake === 'turns' ? partWays : [])]);
  const questions = () => readQuestions(data, split).slice(0, first);
  const result: Record<string, Measured> = {};
  const measures: [set: string, source: string, () => Promise<Measured>][] = [
    ['longmemeval', 'longmemeval', () => measureLongMemEval(questions(), ways, place)],
    ['pooled', 'longmemeval', () => measurePooled(questions(), ways, place)],
    ['locomo', 'locomo', () => measureLocomo(readConversations(data, split), ways, place)],
  ];
  for (const [set, source, measure] of measures) {
    if (!sets.includes(set)) continue;
    if (!existsSync(join(data, source, `${split}.json`))) {
      console.log(`Skipped ${set}: its data is not in ${join(data, source)}`);
      continue;
    }
    const began = Date.now();
    const measured = await measure();
    result[set] = measured;
    console.log(`\n${set}, ${split} (${Math.round((Date.now() - began) / 1000)} s)\n`);
    printTable(measured.rows);
    console.log(`\n${JSON.stringify(measured.outcomes)}`);
  }
  return result;
}
