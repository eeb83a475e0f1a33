// lore embedding
import type { Command } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

export const embedding: Command = {
  name: 'embedding',
  summary: 'Show which embedder the database uses and its progress; "use" switches to the one in the settings.',
  usage: '[use]',
  examples: [
    ['lore embedding', 'the embedder in the settings, the one in use, and progress'],
    ['lore embedding use', 'switch the database to the embedder in the settings'],
  ],
  async run(invocation) {
    const { words, output } = invocation;
    const [verb, ...rest] = words;
    if ((verb !== undefined && verb !== 'use') || rest.length > 0) {
      throw new LoreError('invalid_input', `Cannot do "${words.join(' ')}": expected "use" or nothing`, {
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
            ['in the settings', own || 'an endpoint that has not been called yet'],
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
