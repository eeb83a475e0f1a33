// lore embedding
import { LoreError } from '../../core/error.ts';
import type { Command } from '../command.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

export const embedding: Command = {
  name: 'embedding',
  summary: 'Show which embedder the database uses and how far it is; "use" switches to the one in the settings.',
  usage: '[use]',
  examples: [
    ['lore embedding', 'this installation’s embedder, the database’s, and how many documents wait for it'],
    ['lore embedding use', 'go over to the embedder in the settings, though the database has moved on from it'],
  ],
  async run(invocation) {
    const { words, output } = invocation;
    const [verb, ...rest] = words;
    if ((verb !== undefined && verb !== 'use') || rest.length > 0) {
      throw new LoreError('invalid_input', `Cannot do "${words.join(' ')}": it is neither nothing nor "use"`, {
        hint: 'lore embedding [use]',
      });
    }
    const app = await startOnce(invocation);
    try {
      const opened = await app.graph.open();
      const report = ({ remaining, documents }: { remaining: number; documents: number }) =>
        output.note(`${documents - remaining} of ${documents} documents embedded`);
      const state = await (verb === 'use'
        ? app.registry.perform('embedding', [], { verb }, () => opened.embedding.choose(report))
        : opened.embedding.measure());
      if (output.json) output.printJson(state);
      else {
        const { own, chosen, remaining, documents } = state;
        output.print(
          alignColumns([
            ['in the settings', own || 'an endpoint that has not been asked yet'],
            ['in the database', chosen || 'none yet'],
            ['embedded', `${documents - remaining} of ${documents} documents`],
          ]),
        );
      }
      return 0;
    } finally {
      await app.stop();
    }
  },
};
