// lore skill

import { localCaller } from '../../core/call.ts';
import type { Command } from '../../core/command.ts';
import { startOnce } from '../start.ts';

export const skill: Command = {
  name: 'skill',
  summary: 'Import folders with a SKILL.md as skills of the project, or export its skills as such folders.',
  usage: 'import <folder…> | export <folder> [name…]',
  options: {
    force: { type: 'boolean', help: 'With export: overwrite files that differ' },
    'dry-run': { type: 'boolean', help: 'With import: list the skills, and store nothing' },
  },
  examples: [
    ['lore skill import .claude/skills', 'every skill in that folder, with its other files'],
    ['lore skill import ~/pdf-forms --dry-run', 'preview one folder'],
    ['lore skill export skills', 'all skills of this project'],
    ['lore skill export skills pdf-forms --force', 'one, overwriting files'],
  ],
  async run({ words, options, flags, output }) {
    const [verb, folder = '', ...rest] = words;
    const app = await startOnce({ flags });
    try {
      const dryRun = options['dry-run'] === true;
      const tool = verb === 'export' || dryRun ? 'skill_search' : 'skill_save';
      await app.registry.perform('skill', [tool], { verb, folder, rest, dry_run: dryRun }, async () => {
        const scope = { ...(await app.folders.open(localCaller)), actor: `skill ${verb}` };
        const folders = await import('../../services/journal/skill/folders.ts');
        if (verb === 'import') {
          const imported = await folders.importSkills(scope, [folder, ...rest], { dryRun });
          if (output.json) output.printJson(imported);
          else output.print(folders.describeImported(imported));
        } else {
          const exported = await folders.exportSkills(scope, folder, rest, { force: options.force === true });
          if (output.json) output.printJson(exported);
          else output.print(folders.describeExported(exported));
        }
      });
      return 0;
    } finally {
      await app.stop();
    }
  },
};
