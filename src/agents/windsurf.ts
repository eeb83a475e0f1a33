// Windsurf. It does not show the output of hooks to the model, so the only hook learns after each answer.
import { type Agent, type AgentLocation, joinPath } from './agent.ts';

export const windsurf: Agent = {
  id: 'windsurf',
  title: 'Windsurf',
  traces: (place) => [folder(place)],
  scopes: {
    user: (place) => [
      { kind: 'server', file: joinPath(place, folder(place), 'mcp_config.json'), path: ['mcpServers'] },
      {
        kind: 'hooks',
        file: joinPath(place, folder(place), 'hooks.json'),
        form: 'flat',
        events: ['post_cascade_response_with_transcript'],
        extra: { show_output: false },
        shell: 'powershell',
      },
    ],
  },
  note: 'Refresh the servers in the Cascade panel.',
};

function folder(place: AgentLocation): string {
  return joinPath(place, place.home, '.codeium', 'windsurf');
}
