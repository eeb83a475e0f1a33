// VS Code. It has no hooks file of its own; it runs Claude Code's hooks.
import { type Agent, type AgentLocation, applicationFolder, joinPath } from './agent.ts';

const server = { kind: 'server', path: ['servers'], extra: { type: 'stdio' } } as const;

export const vscode: Agent = {
  id: 'vscode',
  title: 'VS Code',
  traces: (place) => [folder(place)],
  scopes: {
    user: (place) => [{ ...server, file: joinPath(place, folder(place), 'mcp.json') }],
    project: (place) => [{ ...server, file: joinPath(place, place.project, '.vscode', 'mcp.json'), shared: true }],
  },
  note: 'Start the server from the list that "MCP: List Servers" shows.',
};

function folder(place: AgentLocation): string {
  return joinPath(place, applicationFolder(place), 'Code', 'User');
}
