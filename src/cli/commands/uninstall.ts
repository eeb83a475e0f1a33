// lore uninstall
import type { Command } from '../../core/command.ts';

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Remove what lore install added; everything else stays unchanged.',
  usage: '<program…|all>',
  options: {
    scope: { type: 'string', value: 'user|project|local', help: 'Scope of the installation' },
    'dry-run': { type: 'boolean', help: 'Show what would change, and change nothing' },
  },
  examples: [
    ['lore uninstall claude-code', 'as before lore install claude-code'],
    ['lore uninstall all', 'from every installed agent'],
  ],
  async run({ words, options, output }) {
    const { planUninstall } = await import('../../agents/install.ts');
    const { chooseScope, findPlace, openOwnReceipts, reportPrograms, selectAgents } = await import('../programs.ts');
    const place = findPlace();
    const receipts = openOwnReceipts();
    const status = await reportPrograms(selectAgents(words, options.scope, place), output, options, (agent) => {
      const scope = chooseScope(agent, options.scope);
      return { scope, steps: planUninstall(`${agent.id} ${scope}`, agent.scopes[scope]?.(place) ?? [], receipts) };
    });
    if (!options['dry-run']) receipts.sweepFolders();
    return status;
  },
};
