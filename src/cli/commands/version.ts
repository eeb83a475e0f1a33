// lore version
import type { Command } from '../../core/command.ts';
import { version } from '../../core/version.ts';

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version.',
  examples: [['lore version', 'the version alone']],
  run({ output }) {
    if (output.json) output.printJson({ version, node: process.versions.node });
    else output.print(version);
    return 0;
  },
};
