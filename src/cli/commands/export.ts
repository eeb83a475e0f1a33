// lore export

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { localCaller } from '../../core/call.ts';
import type { Command, Invocation, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { countOf } from '../../core/text/terminal.ts';
import { recordCopy } from '../../graph/purge/copy.ts';
import { openPrivate } from '../../store/private-file.ts';
import { isBrokenPipe } from '../output.ts';
import { startOnce } from '../start.ts';
import { checkTarget } from '../target-file.ts';
import { usageError } from '../usage.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write the whole graph as JSON Lines, or the memories of this project as Markdown files.',
  usage: '[file]',
  options: {
    force: { type: 'boolean', help: 'Overwrite the file if it exists' },
    format: {
      type: 'string',
      value: 'format',
      choices: ['jsonl', 'markdown'],
      help: 'jsonl (default) or markdown: one file for each current memory of this project, in a new folder',
    },
  },
  examples: [
    ['lore export lore.jsonl', 'to a file'],
    ['lore export | gzip > lore.jsonl.gz', 'to a pipe'],
    ['lore export --format markdown notes', 'the memories of this project as files; lore import notes reads them back'],
  ],
  async run({ words, options, flags, output }) {
    const [file] = words;
    if (options.format === 'markdown') return exportMarkdown(file, flags, output);
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

async function exportMarkdown(folder: string | undefined, flags: Invocation['flags'], output: Output): Promise<number> {
  if (folder === undefined) throw usageError(exportCommand, 'Missing argument <folder> for --format markdown');
  const app = await startOnce({ flags });
  try {
    const scope = await app.folders.open(localCaller);
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new LoreError(
        'conflict',
        `Cannot write to "${folder}": ${error.code === 'EEXIST' ? 'it exists' : 'it cannot be created'}`,
      );
    });
    const { exportFiles } = await import('../../services/memory/review/propose.ts');
    await recordCopy(scope.opened.store, folder, 'export');
    let count = 0;
    for await (const { name, text } of exportFiles(scope)) {
      await writeFile(join(folder, name), text, { mode: 0o600, flag: 'wx' });
      count++;
    }
    output.note(`${countOf(count, 'file')} in ${folder}`);
    return 0;
  } finally {
    await app.stop();
  }
}

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
