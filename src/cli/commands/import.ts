// lore import
import { createReadStream } from 'node:fs';
import { LoreError } from '../../core/error.ts';
import type { Command } from '../command.ts';
import { startOnce } from '../start.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Read what lore export wrote, and add what is not there yet. All of it, or nothing.',
  usage: '<file>',
  examples: [
    ['lore import lore.jsonl', 'into the database of the settings'],
    ['LORE_DB=postgres://… lore import lore.jsonl', 'into another one'],
  ],
  async run({ words, flags, output }) {
    const [file] = words;
    if (file === undefined) throw new LoreError('invalid_input', 'Cannot import: no file is named');
    const app = await startOnce({ flags });
    try {
      const { store, graph } = await app.graph.open();
      const { importLines } = await import('../../graph/dump.ts');
      const rows = await importLines(store, readLines(file));
      const indexed = await graph.reindex();
      if (output.json) output.printJson({ rows, indexed });
      else output.print(`${rows} rows added, ${indexed} nodes indexed`);
      return 0;
    } finally {
      await app.stop();
    }
  },
};

async function* readLines(file: string): AsyncGenerator<string> {
  try {
    // Only \n ends a line: texts may hold U+2028, which readline would not split at, but also a bare \r, which it would.
    let rest = '';
    for await (const part of createReadStream(file, 'utf8')) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new LoreError('not_found', `Cannot read "${file}": ${(error as NodeJS.ErrnoException).code}`);
  }
}
