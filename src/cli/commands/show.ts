// lore show
import { createPlainCall, localCaller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { isObject } from '../../core/schema.ts';
import type { Command } from '../command.ts';
import { startOnce } from '../start.ts';

/** As much as one call returns. */
const budgetTokens = 100_000;

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
    const [id] = words;
    if (id === undefined || words.length > 1) {
      throw new LoreError('invalid_input', 'Cannot show: give one id', { hint: 'lore recent prints ids.' });
    }
    const app = await startOnce({ flags });
    try {
      const whole = await readAll(async (cursor) => {
        const { project, history: explain = false } = options;
        const args = { query: id, budget_tokens: budgetTokens, explain, project, cursor };
        const { structured } = await app.registry.call('recall', args, createPlainCall(localCaller));
        return structured;
      });
      if (!whole) throw new LoreError('not_found', `Cannot show "${id}": there is no such id in this project`);
      const tool = app.registry.find('recall');
      if (output.json) output.printJson(whole);
      else output.print(tool?.show?.({ memories: [], whole }, output.style) ?? '');
      return 0;
    } finally {
      await app.stop();
    }
  },
};

interface Page {
  text: string;
}

async function readAll(read: (cursor: string | undefined) => Promise<unknown>): Promise<Page | undefined> {
  let whole: Page | undefined;
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    if (!isObject(page) || !isObject(page.whole)) return whole;
    const { whole: part, next_cursor: next } = page as unknown as { whole: Page; next_cursor?: string };
    whole = whole ? { ...whole, text: whole.text + part.text } : part;
    if (next === undefined) return whole;
    cursor = next;
  }
}
