// lore show
import type { Command } from '../../core/command.ts';
import { readEntry } from '../entry.ts';
import { startOnce } from '../start.ts';

export const show: Command = {
  name: 'show',
  summary: 'Print a memory, checkpoint or other entry by its id, with its links and history.',
  usage: '<id>',
  options: {
    history: { type: 'boolean', help: 'Also print the texts it had before it was edited' },
    project: { type: 'string', value: 'project', help: 'Another project, or "all"' },
  },
  examples: [
    ['lore show n_mwiczb6s4', 'by a unique prefix of its id'],
    ['lore show n_mwiczb6s4 --history --json', 'for scripts'],
  ],
  async run({ words, options, flags, output }) {
    const [id = ''] = words;
    const app = await startOnce({ flags });
    try {
      const whole = await readEntry(app, id, { project: options.project, explain: options.history === true });
      if (output.json) output.printJson(whole);
      else output.print(app.registry.find('recall')?.show?.({ memories: [], whole }, output.style) ?? '');
      return 0;
    } finally {
      await app.stop();
    }
  },
};
