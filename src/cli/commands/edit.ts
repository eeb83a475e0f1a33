// lore edit

import type { App } from '../../app.ts';
import { createPlainCall, personCaller } from '../../core/call.ts';
import type { Command, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { editText } from '../editor.ts';
import { readEntry, type StoredEntry } from '../entry.ts';
import { readAll } from '../input.ts';
import { startOnce } from '../start.ts';

export const edit: Command = {
  name: 'edit',
  summary: 'Correct the text of a memory or checkpoint in your editor; the earlier text stays in its history.',
  usage: '<id>',
  settings: ['read_only'],
  options: { text: { type: 'string', value: 'text', help: 'The new text, instead of an editor' } },
  examples: [
    ['lore edit n_mwiczb6s4', 'in $VISUAL or $EDITOR'],
    ['lore edit n_mwiczb6s4 --text "Deploys are on Mondays."', 'without an editor'],
    ['lore edit n_mwiczb6s4 < note.md', 'from a file'],
  ],
  async run({ words, options, flags, output }) {
    const [id = ''] = words;
    const app = await startOnce({ flags });
    try {
      const entry = await readEntry(app, id);
      if (options.text !== undefined) await save(app, entry, String(options.text), output);
      else if (process.stdin.isTTY) await editInteractively(app, entry, output);
      else await save(app, entry, (await readAll(process.stdin)).replace(/\r?\n$/, ''), output);
      return 0;
    } finally {
      await app.stop();
    }
  },
};

async function editInteractively(app: App, entry: StoredEntry, output: Output): Promise<void> {
  // Saves the unchanged text first, so that a refusal comes before the user edits.
  await call(app, entry, entry.text);
  const draft = await editText(entry.id, entry.text);
  try {
    await save(app, entry, draft.text, output);
  } catch (error) {
    if (draft.text.trim() !== '') output.note(`Your text was saved to ${draft.keep()}`);
    throw error;
  }
}

async function save(app: App, entry: StoredEntry, text: string, output: Output): Promise<void> {
  if (text.trim() === '') {
    throw new LoreError('invalid_input', `Cannot edit "${entry.id}": the text is empty`, {
      hint: 'To remove it, use lore forget or lore purge.',
    });
  }
  const { content, structured } = await call(app, entry, text);
  if (output.json) output.printJson(structured);
  else output.print(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
}

async function call({ registry }: App, { id, hash }: StoredEntry, text: string) {
  return registry.call('memory_edit', { id, text, hash }, createPlainCall(personCaller));
}
