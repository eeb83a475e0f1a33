// lore export

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Command } from '../../core/command.ts';
import { recordCopy } from '../../graph/purge/copy.ts';
import { openPrivate } from '../../store/private-file.ts';
import { isBrokenPipe } from '../output.ts';
import { startOnce } from '../start.ts';
import { checkTarget } from '../target-file.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write the whole graph as JSON Lines.',
  usage: '[file]',
  options: { force: { type: 'boolean', help: 'Overwrite the file if it exists' } },
  examples: [
    ['lore export lore.jsonl', 'to a file'],
    ['lore export | gzip > lore.jsonl.gz', 'to a pipe'],
  ],
  async run({ words, options, flags, output }) {
    const [file] = words;
    if (file !== undefined) checkTarget(file, options.force === true);
    const app = await startOnce({ flags });
    try {
      const { store } = await app.graph.open();
      const { exportLines } = await import('../../graph/dump.ts');
      if (file !== undefined) await recordCopy(store, file, 'export');
      const target = file === undefined ? output.stream : createWriteStream(file, { fd: openPrivate(file) });
      const lines = await writeLines(exportLines(store), target);
      if (file !== undefined) {
        const { finished } = await import('node:stream/promises');
        target.end();
        await finished(target);
        output.note(`${lines} lines in ${file}`);
      }
      return 0;
    } finally {
      await app.stop();
    }
  },
};

/** Until the last line, or until the reader is gone. */
async function writeLines(lines: AsyncIterable<string>, target: Writable): Promise<number> {
  let count = 0;
  try {
    for await (const line of lines) {
      if (!target.writable) break;
      count++;
      if (!target.write(`${line}\n`)) await once(target, 'drain');
    }
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
  return count;
}
