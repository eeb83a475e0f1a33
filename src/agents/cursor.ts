// Cursor. Its prompt hook accepts additional context, although this is undocumented; other versions ignore it. On Windows it
// runs hooks with PowerShell.
import { type Agent, joinPath } from './agent.ts';

export const cursor: Agent = {
  id: 'cursor',
  title: 'Cursor',
  traces: (place) => [joinPath(place, place.home, '.cursor')],
  scopes: {
    user: (place) => [
      { kind: 'server', file: joinPath(place, place.home, '.cursor', 'mcp.json'), path: ['mcpServers'] },
      {
        kind: 'hooks',
        file: joinPath(place, place.home, '.cursor', 'hooks.json'),
        form: 'flat',
        events: ['sessionStart', 'beforeSubmitPrompt', 'preCompact', 'stop'],
        extra: { timeout: 10 },
        head: { version: 1 },
        shell: 'powershell',
      },
    ],
    project: (place) => [
      {
        kind: 'server',
        file: joinPath(place, place.project, '.cursor', 'mcp.json'),
        path: ['mcpServers'],
        shared: true,
      },
    ],
  },
  note: 'Enable the server in Cursor Settings, MCP, and open a new chat.',
};
