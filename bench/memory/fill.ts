// Fills a database with memories as `remember` keeps them, and hands out what to ask of them.
import { mkdirSync } from 'node:fs';
import { openGraph } from '../../src/graph/open.ts';
import { identifyFolder } from '../../src/graph/project/project.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { createRandom, writeNote, writeQuestion } from '../store/corpus.ts';

interface FillOptions {
  database: string;
  project: string;
  count: number;
  fill: boolean;
}

const batch = 1_000;

export async function run({ database, project: folder, count, fill }: FillOptions) {
  mkdirSync(folder, { recursive: true });
  const project = identifyFolder(folder).claim;
  if (fill) {
    const { graph, store, close } = await openGraph(database);
    const random = createRandom(1);
    for (let done = 0; done < count; done += batch) {
      const data = { kind: 'semantic', knowledge: 'note' };
      const notes = Array.from({ length: Math.min(batch, count - done) }, () => writeNote(random));
      await graph.put(
        notes.map((text) => ({ project, kind: 'memory', text, data })),
        'bench',
      );
      while (await compactIndex(store));
    }
    await close();
  }
  const random = createRandom(1_000);
  const list = (write: () => string, length: number) => Array.from({ length }, write);
  return {
    asked: list(() => writeQuestion(random), 200),
    prompts: list(() => `${writeQuestion(random)}\n${writeNote(random)} ${writeNote(random)}`, 200),
    notes: list(() => writeNote(random), 400),
  };
}
