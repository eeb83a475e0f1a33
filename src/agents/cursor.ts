// Cursor. Its prompt hook takes added context although its pages do not say so; a version that does not simply ignores it.
// On Windows it hands hooks to PowerShell.
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
