// Claude Desktop: one file, no scopes, no hooks.
import { type Agent, type AgentLocation, applicationFolder, joinPath } from './agent.ts';

export const claudeDesktop: Agent = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  traces: (place) => [folder(place)],
  scopes: {
    user: (place) => [
      { kind: 'server', file: joinPath(place, folder(place), 'claude_desktop_config.json'), path: ['mcpServers'] },
    ],
  },
  note: 'Quit and start Claude Desktop again. It starts servers outside projects: --project names one.',
};

function folder(place: AgentLocation): string {
  return joinPath(place, applicationFolder(place), 'Claude');
}
