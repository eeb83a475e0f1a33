// One run: the chosen sets of one split, printed as tables and given back as figures.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createStaticEmbedder } from '../../src/search/embed.ts';
import { measureLocomo } from './locomo.ts';
import { readConversations } from './locomo-data.ts';
import { measureLongMemEval } from './longmemeval.ts';
import { readQuestions } from './longmemeval-data.ts';
import { measurePooled } from './pooled.ts';
import { printTable, type Row } from './table.ts';
import { chooseWays, type Way } from './ways.ts';

export interface RunOptions {
  root: string;
  /** For databases; whoever calls removes it. */
  folder: string;
  split: 'tune' | 'report';
  sets: readonly string[];
  only?: readonly string[];
}

export async function run({ root, folder, split, sets, only }: RunOptions): Promise<Record<string, Row[]>> {
  const data = join(root, '../shared/data');
  const table = join(root, 'assets/embedding.bin');
  const embedder = existsSync(table) ? createStaticEmbedder(table) : undefined;
  if (!embedder) console.log('There is no assets/embedding.bin: words only');
  const ways: readonly Way[] = chooseWays(only, embedder !== undefined);
  const place = { folder, embedder };
  const result: Record<string, Row[]> = {};
  const measures: [set: string, source: string, () => Promise<Row[]>][] = [
    ['longmemeval', 'longmemeval', () => measureLongMemEval(readQuestions(data, split), ways, place)],
    ['pooled', 'longmemeval', () => measurePooled(readQuestions(data, split), ways, place)],
    ['locomo', 'locomo', () => measureLocomo(readConversations(data, split), ways, place)],
  ];
  for (const [set, source, measure] of measures) {
    if (!sets.includes(set)) continue;
    if (!existsSync(join(data, source, `${split}.json`))) {
      console.log(`Skipped ${set}: its data is not in ${join(data, source)}`);
      continue;
    }
    const began = Date.now();
    const rows = await measure();
    result[set] = rows;
    console.log(`\n${set}, ${split} (${Math.round((Date.now() - began) / 1000)} s)\n`);
    printTable(rows);
  }
  return result;
}
