// lore install
import type { SettingsPart } from '../../agents/agent.ts';
import type { InstallStep } from '../../agents/install.ts';
import { findOtherNames, type Setup } from '../../agents/part.ts';
import { loadConfig } from '../../config/load.ts';
import type { Command } from '../../core/command.ts';

export const install: Command = {
  name: 'install',
  summary: "Add the server, and hooks if supported, to agents' settings.",
  usage: '<program…|all>',
  settings: ['project', 'profile'],
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
    ['lore install claude-desktop --project ~/src/shop', 'for a program that starts servers outside projects'],
    ['lore install claude-code --profile core', 'with few tools, which are loaded from the start'],
    ['lore install codex --print', 'lines to copy'],
  ],
  async run({ words, options, flags, output }) {
    // The entry passes it on, like the variables of this environment.
    if (flags.profile !== undefined) process.env.LORE_PROFILE = loadConfig({ flags }).values.profile;
    const { planInstall, renderParts } = await import('../../agents/install.ts');
    const { chooseScope, findPlace, openOwnReceipts, reportPrograms, selectAgents, setupOf } = await import(
      '../programs.ts'
    );
    const { findCarried } = await import('../carried-settings.ts');
    const carried = await findCarried();
    const place = findPlace(carried.project);
    const { LORE_PROJECT: _, ...general } = carried.env;
    const receipts = openOwnReceipts();
    const notes = new Set<string>();
    const status = await reportPrograms(selectAgents(words, options.scope, place), output, options, (agent) => {
      const scope = chooseScope(agent, options.scope);
      // With the settings of one project, the program starts the server there.
      const setup = setupOf(place, scope === 'user' ? carried.env : general);
      const all = agent.scopes[scope]?.(place) ?? [];
      const parts = options['no-hooks'] ? all.filter(({ kind }) => kind !== 'hooks') : all;
      if (options.print) return { scope, steps: [], printed: renderParts(parts, setup) };
      const steps = planInstall(`${agent.id} ${scope}`, parts, setup, receipts);
      for (const note of describeSetup(parts, steps, setup)) notes.add(note);
      return { scope, steps, note: agent.note };
    });
    if (output.json) return status;
    for (const note of notes) output.note(note);
    if (carried.secret.length > 0) {
      output.note(`Not written, because it is secret: ${carried.secret.join(', ')}. Put it into the settings file.`);
    }
    if (setupOf(place).launch.command === 'npx' && !options['no-hooks']) {
      output.note('Hooks that run through npx are slow. Run npm install -g lorekeeper, then lore install again.');
    }
    return status;
  },
};

/** What a person should know about the entries, besides the files. */
function* describeSetup(
  parts: readonly SettingsPart[],
  steps: readonly InstallStep[],
  setup: Setup,
): Generator<string> {
  const names = Object.keys(setup.env).join(', ');
  for (const part of parts) {
    const text = steps.find(({ file }) => file === part.file)?.before ?? '';
    for (const name of findOtherNames(part, text)) {
      yield `${part.file} also has this server under the name "${name}". Remove that entry, or agents see every tool twice.`;
    }
    if (part.kind !== 'hooks' && part.shared) {
      if (setup.portable.command !== 'npx') {
        yield `${part.file} runs lore from the PATH: everyone who uses the repository needs an installation.`;
      }
      if (names !== '')
        yield `${part.file} belongs to the repository, so these settings are not written to it: ${names}.`;
    } else if (names !== '') yield `Entries get these settings of this environment: ${names}.`;
  }
}
