// lore reveal

import { loadConfig } from '../../config/load.ts';
import type { Command } from '../../core/command.ts';

export const reveal: Command = {
  name: 'reveal',
  summary: 'Show the real value behind a pseudonym that the system tools returned on this machine.',
  usage: '<pseudonym…>',
  examples: [
    ['lore reveal user-3f9a01bc', 'the name behind it'],
    ['lore reveal ip-77c0d2e1 host-09ab12cd --json', 'several, for scripts'],
  ],
  async run({ words, output }) {
    const { revealPseudonym } = await import('../../services/system/privacy/reveal.ts');
    const { db } = loadConfig().values;
    const found = await Promise.all(
      words.map(async (pseudonym) => ({ pseudonym, values: await revealPseudonym(db, pseudonym) })),
    );
    if (output.json) output.printJson(found);
    else for (const { pseudonym, values } of found) output.print(`${pseudonym}  ${values.join(', ')}`);
    return 0;
  },
};
