// lore install
import type { Command } from '../../core/command.ts';

export const install: Command = {
  name: 'install',
  summary: "Add the server, and hooks if supported, to agents' settings.",
  usage: '<program…|all>',
  options: {
    scope: {
      type: 'string',
      value: 'user|project|local',
      help: 'For every project, for the repository, or for you in this folder',
    },
    'no-hooks': { type: 'boolean', help: 'Do not add hooks' },
    'dry-run': { type: 'boolean', help: 'Show what would change, and change nothing' },
    print: { type: 'boolean', help: 'Print what to write by hand, and write nothing' },
  },
  examples: [
    ['lore install claude-code', 'for all your projects'],
    ['lore install all --dry-run', 'preview the changes for every installed agent'],
    ['lore install cursor --scope project', "into the repository's own settings"],
    ['lore install codex --print', 'lines to copy'],
  ],
  async run({ words, options, output }) {
    const { planInstall, renderParts } = await import('../../agents/install.ts');
    const { chooseScope, findPlace, openOwnReceipts, reportPrograms, selectAgents, setupOf } = await import(
      '../programs.ts'
    );
    const place = findPlace();
    const setup = setupOf(place);
    const receipts = openOwnReceipts();
    const status = await reportPrograms(selectAgents(words, options.scope, place), output, options, (agent) => {
      const scope = chooseScope(agent, options.scope);
      const all = agent.scopes[scope]?.(place) ?? [];
      const parts = options['no-hooks'] ? all.filter(({ kind }) => kind !== 'hooks') : all;
      if (options.print) return { scope, steps: [], printed: renderParts(parts, setup) };
      return { scope, steps: planInstall(`${agent.id} ${scope}`, parts, setup, receipts), note: agent.note };
    });
    if (setup.launch.command === 'npx' && !options['no-hooks'] && !output.json) {
      output.note('Hooks that run through npx are slow. Run npm install -g lorekeeper, then lore install again.');
    }
    return status;
  },
};
