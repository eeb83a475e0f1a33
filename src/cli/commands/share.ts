// lore share

import type { App } from '../../app.ts';
import { createPlainCall, localCaller, personCaller } from '../../core/call.ts';
import type { Command, Output } from '../../core/command.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { readAuthor } from '../../graph/share/destination.ts';
import { sharedLevels } from '../../graph/share/level.ts';
import { confirm } from '../confirm.ts';
import { readEntry } from '../entry.ts';
import { startOnce } from '../start.ts';
import { readLevel } from '../sync-shared.ts';
import { usageError } from '../usage.ts';

export const share: Command = {
  name: 'share',
  summary:
    'Share memories with the team of the project, or with your other machines. Without it, none leaves this database.',
  usage: '<id…>',
  settings: ['read_only'],
  options: {
    level: {
      type: 'string',
      value: 'level',
      choices: sharedLevels,
      help: 'team: everybody who syncs with the remote (default); mine: your other machines',
    },
    undo: { type: 'boolean', help: 'Take it back: the next sync removes it elsewhere' },
    'dry-run': { type: 'boolean', help: 'Print exactly what would be sent, and share nothing' },
    review: {
      type: 'boolean',
      help: 'Write a file for each to .lore/team, for a pull request; it is shared when that is merged',
    },
    yes: { type: 'boolean', help: 'Do not ask for confirmation' },
  },
  examples: [
    ['lore share n_mwiczb6s4', 'with the team, at the next sync'],
    ['lore share n_mwiczb6s4 --dry-run', 'print the bytes that would be sent'],
    ['lore share n_mwiczb6s4 --level mine', 'with your other machines only'],
    ['lore share n_mwiczb6s4 --undo', 'take it back'],
    ['lore share n_mwiczb6s4 --review', 'propose it in a pull request'],
  ],
  async run({ words, options, flags, output }) {
    const level = readLevel(options.level) ?? 'team';
    const isDry = options['dry-run'] === true;
    const others = ['level', 'undo', 'dry-run'].filter(
      (name) => options[name] !== undefined && options[name] !== false,
    );
    if (options.review === true && others.length > 0)
      throw usageError(share, `--review cannot be combined with --${others[0]}`);
    const app = await startOnce({ flags });
    try {
      if (options.review === true) return await propose(app, words, output);
      if (!isDry && options.undo !== true && options.yes !== true) {
        for (const id of words) output.note(`${id}  ${(await readEntry(app, id)).text}`);
        const audience = level === 'team' ? 'the team' : 'your other machines';
        if (!(await confirm(`Share ${words.length === 1 ? 'it' : 'them'} with ${audience}?`))) return 1;
      }
      const results = [];
      for (const id of words) {
        const args = { id, level, undo: options.undo === true, dry_run: isDry };
        const { structured } = await app.registry.call('memory_share', args, createPlainCall(personCaller));
        results.push(structured);
        const shown = app.registry.find('memory_share')?.show?.(structured, output.style) ?? '';
        if (!output.json) output.print(shown.replace(/\n$/, ''));
      }
      if (output.json) output.printJson(results);
      return 0;
    } finally {
      await app.stop();
    }
  },
};

/** The user commits the files; they count when they are merged. */
async function propose(app: App, ids: readonly string[], output: Output): Promise<number> {
  const paths = await app.registry.perform('share', ['memory_share'], { ids, review: true }, async () => {
    const scope = await app.folders.open(localCaller);
    const { writeReview } = await import('../../services/memory/review/propose.ts');
    const nodes = await Promise.all(ids.map((id) => getOwn(scope, id, 'share')));
    return writeReview(scope, nodes, await readAuthor());
  });
  if (output.json) output.printJson({ paths });
  else for (const path of paths) output.print(path);
  if (!output.json) output.note('Commit them. When they are merged, lore sync now shares them.');
  return 0;
}
