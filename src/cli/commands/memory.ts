// lore memory
import type { Command } from '../../core/command.ts';
import { keyPrefix } from '../../core/id.ts';
import { readEntry } from '../entry.ts';
import { startOnce } from '../start.ts';
import { callAndPrint } from '../tool-command.ts';

export const memory: Command = {
  name: 'memory',
  summary: 'Store a memory under a key, or print the one that has it.',
  usage: 'store <key> <text> | retrieve <key>',
  settings: ['read_only'],
  options: { namespace: { type: 'string', value: 'name', help: 'Part of the key, before it and a slash' } },
  examples: [
    [
      'lore memory store checklist "Tag, build, publish." --namespace team/release',
      'replaces the one that has the key',
    ],
    ['lore memory retrieve checklist --namespace team/release', 'its text alone'],
  ],
  async run({ words, options, flags, output }) {
    const [verb, name = '', text = ''] = words;
    const key = options.namespace === undefined ? name : `${options.namespace}/${name}`;
    const app = await startOnce({ flags });
    try {
      if (verb === 'store') await callAndPrint(app, 'remember', { content: text, key }, output, false);
      else {
        const entry = await readEntry(app, `${keyPrefix}${key}`);
        if (output.json) output.printJson(entry);
        else output.print(entry.text);
      }
      return 0;
    } finally {
      await app.stop();
    }
  },
};
