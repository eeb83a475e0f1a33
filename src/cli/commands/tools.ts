// lore tools

import { localCaller } from '../../core/call.ts';
import type { Command, Output } from '../../core/command.ts';
import { hangText } from '../../core/text/terminal.ts';
import type { Tool } from '../../core/tool.ts';
import { projectTool } from '../../protocol/project.ts';
import { newestLegacy } from '../../protocol/revision.ts';
import { firstSentence } from '../help.ts';
import { startOnce } from '../start.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'List the tools a client sees.',
  settings: ['read_only', 'disabled_services'],
  examples: [
    ['lore tools', 'names, effects and what they do'],
    ['lore tools --json', 'with their input and output schemas'],
  ],
  async run({ flags, output }) {
    const app = await startOnce({ flags });
    try {
      const visible = app.registry.tools(localCaller);
      if (output.json) output.printJson(visible.map((tool) => projectTool(tool, newestLegacy, true)));
      else output.print(renderTools(visible, output));
      return 0;
    } finally {
      await app.stop();
    }
  },
};

function renderTools(tools: readonly Tool[], { style }: Output): string {
  const name = Math.max(...tools.map((tool) => tool.name.length));
  const effect = Math.max(...tools.map((tool) => tool.effect.length));
  return tools
    .flatMap((tool) => {
      const head = `${tool.name.padEnd(name)}  ${tool.effect.padEnd(effect)}  `;
      return hangText(head, firstSentence(tool.description), style.width);
    })
    .join('\n');
}
