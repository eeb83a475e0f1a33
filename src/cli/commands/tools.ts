// lore tools

import { localCaller } from '../../core/call.ts';
import type { Command } from '../../core/command.ts';
import { projectTool } from '../../protocol/project.ts';
import { newestLegacy } from '../../protocol/revision.ts';
import { alignColumns } from '../output.ts';
import { startOnce } from '../start.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'List the tools a client sees.',
  settings: ['read_only', 'disabled_services'],
  examples: [
    ['lore tools', 'names, effects and titles'],
    ['lore tools --json', 'with their input and output schemas'],
  ],
  async run({ flags, output }) {
    const app = await startOnce({ flags });
    try {
      const visible = app.registry.tools(localCaller);
      if (output.json) output.printJson(visible.map((tool) => projectTool(tool, newestLegacy, true)));
      else output.print(alignColumns(visible.map(({ name, effect, title }) => [name, effect, title])));
      return 0;
    } finally {
      await app.stop();
    }
  },
};
